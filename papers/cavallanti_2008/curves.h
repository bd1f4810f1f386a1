#pragma once

#include <map>

#include "papers/text_points.h"

namespace askfew::cavallanti_2008 {

/// F against labels on one set of stories, Figure 2.
struct Curves {
  std::string set;
  std::size_t stories = 0;
  std::size_t topics = 0;
  std::map<std::string, std::vector<TextPoint>> of;  ///< by preset, shares ascend
  double perc = 0;                                   ///< F with all labels, first order
  double sop = 0;                                    ///< and second order
};
Curves measure_curves(const TextSet& set, const ExperimentContext& context);

std::vector<Verdict> verdicts_of(const std::vector<Curves>& all);
void show(Page& page, const Curves& curves);
nlohmann::json json_of(const Curves& curves);

}  // namespace askfew::cavallanti_2008

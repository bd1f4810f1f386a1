#pragma once

#include <map>

#include "papers/text_points.h"

namespace askfew::cavallanti_2008 {

/// F against the share of labels on one set of stories, as in Figure 2.
struct Curves {
  std::string set;
  std::size_t stories = 0;
  std::size_t topics = 0;
  std::map<std::string, std::vector<TextPoint>> of;  ///< by preset, in ascending order of the shares
  double perc = 0;                                   ///< F of the first-order learner with all labels
  double sop = 0;                                    ///< F of the second-order learner with all labels
};
Curves measure_curves(const TextSet& set, const ExperimentContext& context);

std::vector<Verdict> verdicts_of(const std::vector<Curves>& all);
void show(Page& page, const Curves& curves);
nlohmann::json json_of(const Curves& curves);

}  // namespace askfew::cavallanti_2008

#pragma once

#include "papers/text_points.h"

namespace askfew::cavallanti_2008 {

/// Results of SSMD on one topic, as in Figure 3.
struct OneTopic {
  std::string name;
  double positives = 0;  ///< stories of the topic
  double stored = 0;     ///< share of the stories
  double asked = 0;      ///< share of the stories
  double f1 = 0;
  double late_f1 = 0;  ///< on the last half of the stories
  double norm = 0;     ///< norm of the weights of a linear SVM
};
/// Returns the topics from frequent to rare. All topics share one scale of the rule, at which SSMD asks for
/// about `rate` of the labels.
std::vector<OneTopic> measure_topics(const TextSet& set, double rate, const ExperimentContext& context);

std::vector<Verdict> verdicts_of(const std::vector<OneTopic>& topics);
void show(Page& page, const std::vector<OneTopic>& topics);
nlohmann::json json_of(const std::vector<OneTopic>& topics);

}  // namespace askfew::cavallanti_2008

#pragma once

#include "papers/text_points.h"

namespace askfew::cavallanti_2008 {

/// What SSMD does on one topic, Figure 3.
struct OneTopic {
  std::string name;
  double positives = 0;  ///< stories of the topic
  double stored = 0;     ///< share of the stories
  double asked = 0;      ///< share of the stories
  double f1 = 0;
  double norm = 0;  ///< of the weights of a linear SVM
};
/// The most frequent topic first; one scale for all of them, at which about `rate` of the labels are asked.
std::vector<OneTopic> measure_topics(const TextSet& set, double rate, const ExperimentContext& context);

std::vector<Verdict> verdicts_of(const std::vector<OneTopic>& topics);
void show(Page& page, const std::vector<OneTopic>& topics);
nlohmann::json json_of(const std::vector<OneTopic>& topics);

}  // namespace askfew::cavallanti_2008

#include "askfew/protocol/one_vs_rest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace askfew {

TopTwo top_two(std::span<const double> margins) {
  EXPECTS(margins.size() >= 2);
  const auto first = std::max_element(margins.begin(), margins.end());
  double second = -std::numeric_limits<double>::infinity();
  for (auto margin = margins.begin(); margin != margins.end(); ++margin) {
    if (margin != first) second = std::max(second, *margin);
  }
  return {.first = static_cast<std::size_t>(first - margins.begin()), .margin = *first - second};
}

TopTwo OneVsRest::judge(std::span<const double> margins) const {
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (!std::isfinite(margins[k])) {
      throw NumericError("the margin is not finite", decider_.tally().round + 1, k);
    }
  }
  return top_two(margins);
}

Round OneVsRest::ask(const FeatureView& x) {
  last_round_ = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) margins_[k] = classes_[k].sampler->see(x);
  const TopTwo top = judge(margins_);
  const Round round{.query = decider_.decide(score_of(x, top), classes_[0].sampler->started()),
                    .prediction = static_cast<LabelNumber>(top.first)};
  last_round_ = round.query.round;
  return round;
}

Round OneVsRest::peek(const FeatureView& x) const {
  std::vector<double> margins;
  for (const Task& task : classes_) margins.push_back(task.sampler->peek(x).score.margin);
  const TopTwo top = judge(margins);
  return {.query = std::as_const(decider_).peek(score_of(x, top), classes_[0].sampler->started()),
          .prediction = static_cast<LabelNumber>(top.first)};
}

bool OneVsRest::tell(const FeatureView& x, LabelNumber truth, const Round& round) {
  EXPECTS(round.query.asked && truth < classes_.size());
  const bool started = classes_[0].sampler->started();
  bool updated = false;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    Query of_class = classes_[k].sampler->ask_seen(x);
    of_class.round = round.query.round;  // for messages
    if (round.query.round != last_round_ && !mixes_late_) of_class.version = of_another_instance;
    updated |= classes_[k].sampler->tell(x, k == truth ? Label::positive : Label::negative, of_class);
  }
  // A start of the learners is not an update, and no rule observes it.
  if (started) decider_.observe(round.query, round.prediction != truth, updated);
  return updated;
}

}  // namespace askfew

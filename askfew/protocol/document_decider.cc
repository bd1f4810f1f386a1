#include "askfew/protocol/document_decider.h"

#include <cmath>

namespace askfew {

std::span<Round> DocumentDecider::ask(const FeatureView& x) {
  double nearest = 0;
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    topics_[k].sampler->see(x);
    const double margin = topics_[k].sampler->margin(x);
    if (!std::isfinite(margin)) {
      throw NumericError("the margin is not finite", decider_.tally().round + 1, k);
    }
    if (k == 0 || std::abs(margin) < std::abs(nearest)) nearest = margin;
    rounds_[k] = {.query = {}, .prediction = number_of(sgn(margin))};
    rounds_[k].query.score.margin = margin;
  }
  const Query common = decider_.decide({.margin = nearest, .norm = topics_[0].sampler->norm(x)},
                                       topics_[0].sampler->started());
  for (Round& round : rounds_) {
    const double margin = round.query.score.margin;
    round.query = common;
    round.query.score.margin = margin;
    round.query.prediction = sgn(margin);
  }
  return rounds_;
}

void DocumentDecider::tell(const FeatureView& x, std::span<const Label> labels) {
  const bool started = topics_[0].sampler->started();
  bool mistake = false;
  bool updated = false;
  for (std::size_t k = 0; k < topics_.size(); ++k) {
    Query of_topic = topics_[k].sampler->ask_seen(x);
    of_topic.round = rounds_[k].query.round;  // for messages
    rounds_[k].updated = topics_[k].sampler->tell(x, labels[k], of_topic);
    updated |= rounds_[k].updated;
    mistake |= rounds_[k].prediction != number_of(labels[k]);
  }
  // A start of the learners is not an update, and no rule observes it.
  if (started) decider_.observe(rounds_[0].query, mistake, updated);
}

}  // namespace askfew

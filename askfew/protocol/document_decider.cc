#include "askfew/protocol/document_decider.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace askfew {

void DocumentDecider::judge(double margin, std::size_t topic, Round& round) const {
  if (!std::isfinite(margin)) {
    throw NumericError("the margin is not finite", decider_.tally().round + 1, topic);
  }
  round = {.query = {}, .prediction = number_of(sgn(margin))};
  round.query.score.margin = margin;
}

Score DocumentDecider::score_of(std::span<const Round> rounds) {
  const auto nearest = std::ranges::min_element(
      rounds, {}, [](const Round& round) { return std::abs(round.query.score.margin); });
  return nearest->query.score;
}

bool DocumentDecider::have_started() const {
  return std::ranges::all_of(topics_, [](const Task& topic) { return topic.sampler->started(); });
}

void DocumentDecider::share(const Query& common, std::span<Round> rounds) {
  for (Round& round : rounds) {
    const double margin = round.query.score.margin;
    round.query = common;
    round.query.score.margin = margin;
    round.query.prediction = sgn(margin);
  }
}

void DocumentDecider::ask(const FeatureView& x, std::span<Round> rounds) {
  last_round_ = 0;
  for (std::size_t k = 0; k < topics_.size(); ++k) judge(topics_[k].sampler->see(x), k, rounds[k]);
  Score score = score_of(rounds);
  score.norm = topics_[0].sampler->norm(x);
  share(decider_.decide(score, have_started()), rounds);
  last_round_ = rounds[0].query.round;
}

void DocumentDecider::peek(const FeatureView& x, std::span<Round> rounds) const {
  for (std::size_t k = 0; k < topics_.size(); ++k)
    judge(topics_[k].sampler->peek(x).score.margin, k, rounds[k]);
  Score score = score_of(rounds);
  score.norm = topics_[0].sampler->norm(x);
  share(std::as_const(decider_).peek(score, have_started()), rounds);
}

bool DocumentDecider::tell(const FeatureView& x, Label label, std::size_t topic, const Round& round) {
  AnySampler& sampler = *topics_[topic].sampler;
  const bool started = sampler.started();
  Query of_topic = sampler.ask_seen(x);
  of_topic.round = round.query.round;  // for messages
  if (round.query.round != last_round_) of_topic.version = of_another_instance;
  const bool updated = sampler.tell(x, label, of_topic);
  told_.is_observed |= started;
  told_.updated |= updated;
  told_.mistake |= round.prediction != number_of(label);
  return updated;
}

void DocumentDecider::observe(const Query& query) {
  const Told told = std::exchange(told_, {});
  if (told.is_observed) decider_.observe(query, told.mistake, told.updated);
}

}  // namespace askfew

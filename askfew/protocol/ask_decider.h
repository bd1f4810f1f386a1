#pragma once

// The deciding half of a sampler: rule, budget, audit, coins and counts.

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/core/concepts.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"
#include "askfew/protocol/explanation.h"
#include "askfew/spending/pacer.h"

namespace askfew {

/// May a sampler skip values that would not change a decision? These are the spread of an instance if bounds
/// decide, and the coin if the probability is 0 or 1.
enum class Exactness : std::uint8_t {
  lazy,  ///< the same decisions, faster
  exact  ///< every margin, probability and coin is computed, for traces
};

/// Decides which labels are worth asking: a rule, a budget, the coins, and a tally of the decisions. The
/// class sees scores only, not the learners that computed them. (Slow functions are not inlined: they are
/// compiled once per rule, not once per pair of learner and rule.)
template <Rule R>
class AskDecider {
 public:
  /// An audit needs the exact probability of its labels. THROWS: ConfigError if the budget does not fit the
  /// rule or the audit.
  AskDecider(R rule, CoinKey key, Exactness exactness, const Spending& spending = {})
      : rule_(std::move(rule)),
        coin_(key),
        exactness_(spending.audit > 0 ? Exactness::exact : exactness),
        task_(key.task),
        audit_(spending.audit),
        audit_coin_(key, CoinPurpose::audit) {
    if (!spending.budget.is_set()) return;
    if constexpr (HasScale<R>) {
      if (rule_.scale() > 0) pacer_.emplace(spending, rule_.scale());
    }
    if (!pacer_) throw_config_error("rule ", name(), " has no scale that a budget could steer");
  }

  /// Starts a round. `changes`: the number of changes of the learner so far.
  Query begin(std::uint64_t changes) {
    begin_round();
    return {.round = tally_.round, .version = changes};
  }

  void begin_round() {
    if (idles_next()) return begin_idle_round();
    ++tally_.round;
    pace();
  }
  /// Remembers the score for the pacer, if this round is one of its sample.
  void remember(const Score& score) {
    if (!pacer_ || !pacer_->samples()) return;
    double rank = 0;
    if constexpr (RanksScores<R>) rank = rule_.rank(score);
    pacer_->remember(score, rank);
  }

  /// Do the rule, its coin and at most a budget decide, without an audit or a look ahead, and is the coin
  /// needed only where the rule leaves doubt?
  [[nodiscard]] bool is_simple() const {
    if constexpr (LooksAhead<R>) {
      if (rule_.looks_ahead()) return false;
    }
    return audit_ == 0 && exactness_ == Exactness::lazy;
  }
  [[nodiscard]] bool has_budget() const { return pacer_.has_value(); }
  struct PlainDecision {
    double probability = 0;
    double coin = 0;
    bool asked = false;
  };
  /// Does the next round leave the scale of the rule as it is, and is its score not remembered?
  [[nodiscard]] bool idles_next() const { return !pacer_ || pacer_->idles_next(); }
  /// `begin` of such a round. REQUIRES: idles_next().
  void begin_idle_round() {
    ++tally_.round;
    if (pacer_) pacer_->pass_idle_round();
  }
  /// The rest of a round, up to `end`, without `remember`. REQUIRES: is_simple(). THROWS: NumericError.
  [[gnu::always_inline]] PlainDecision decide_plainly(const Score& score) {
    expect_finite(score.norm, "the norm of the instance");
    expect_finite(score.margin, "the margin");
    double probability = probability_at(score);
    if (probability > 0 && is_blocked()) probability = 0;
    const double coin = probability > 0 && probability < 1 ? coin_(tally_.round) : 0;
    const bool asked = coin < probability;
    tally_.expected_asked += probability;
    tally_.asked += asked ? 1 : 0;
    if (asked && pacer_) pacer_->spend(true);
    return {.probability = probability, .coin = coin, .asked = asked};
  }

  // For groups of samplers. REQUIRES of all: is_simple(), no budget.

  /// See StaysSilent.
  [[nodiscard]] double silent_above(std::uint64_t rounds) const
    requires StaysSilent<R>
  {
    return rule_.silent_above(tally_, tally_.round + rounds);
  }
  /// Rounds in which the probability is 0.
  void pass_silent_rounds(std::uint64_t rounds) { tally_.round += rounds; }
  /// Rounds that were decided for several tasks at once: the rule's probability, and the coins of this key.
  void pass_rounds(std::uint64_t rounds, std::uint64_t asked, double expected_asked) {
    tally_.round += rounds;
    tally_.asked += asked;
    tally_.expected_asked = expected_asked;
  }
  [[nodiscard]] CoinKey coin_key() const { return coin_.key(); }
  [[nodiscard]] const R& rule() const { return rule_; }

  /// Decides from the query's score. THROWS: NumericError.
  void decide(Query& query) {
    query.probability = probability_at(query.score);
    hold_back_without_budget(query);
    toss(query);
  }
  /// Asks, whatever the rule says, if a label is left in the budget.
  void ask_surely(Query& query) {
    query.probability = 1;
    hold_back_without_budget(query);
    toss(query);
  }
  /// Decides without the spread r, if possible. r lies in [0, bound]. A rule's probability never rises with
  /// |margin| and never falls with r, so the probability lies between its values at 0 and at the bound. If
  /// the coin is outside that interval, every r gives the same decision. The score keeps its value at r = 0:
  /// its sign is right. THROWS: NumericError.
  bool decide_by_bounds(Query& query, const Score& at_zero, const Score& at_bound) {
    double most = probability_at(at_bound);
    if (most > 0 && is_blocked()) most = 0;
    const double least = most > 0 ? probability_at(at_zero) : 0;
    if (most > 0 && least < 1) query.coin = coin_(query.round);
    const bool must_ask = query.coin < least && !observes_score();
    const bool cannot_ask = query.coin >= most;
    if (!must_ask && !cannot_ask) return false;
    query.score = at_zero;
    query.probability = most;
    query.asked = must_ask;
    tally_.expected_slack += most - least;
    return true;
  }
  [[nodiscard]] bool may_be_lazy() const {
    if constexpr (LooksAhead<R>) {
      if (rule_.looks_ahead()) return false;
    }
    if (pacer_ && pacer_->samples()) return false;
    return exactness_ == Exactness::lazy;
  }

  /// Ends the round after the decision.
  void end(const Query& query) {
    if constexpr (LooksAhead<R>) rule_.look_ahead(query.score, tally_);
    tally_.expected_asked += query.chance();
    if (query.asked) ++tally_.asked;
    if (query.audited) ++tally_.audited;
    remember(query.score);
    if (query.asked && pacer_) pacer_->spend(query.coin < query.probability);
  }
  /// The asked label has been learned.
  void observe(const Query& query, bool mistake, bool updated) {
    if (updated) ++tally_.updates;
    if constexpr (Observes<R>) rule_.observe(query, mistake, updated);
  }
  /// Explains the decision in the rule's own terms; the caller adds the features. A rule's probability never
  /// rises with |margin|, so every rule has a threshold. REQUIRES: exact mode, the query is of the last
  /// round, and its label is not observed yet.
  [[nodiscard]] [[gnu::noinline]] Explanation explain(const Query& query) const {
    Explanation why;
    why.held_back = held_back_;
    if constexpr (HasScale<R>) why.scale = rule_.scale();
    bool decided_before = false;
    if constexpr (LooksAhead<R>) decided_before = rule_.looks_ahead();  // the margin is for the next round
    if (decided_before) {
      if (query.coin < query.probability) why.threshold = std::numeric_limits<double>::infinity();
      return why;
    }
    why.threshold = largest_margin(query.score.margin, [&](double margin) {
      const Score score{.margin = margin, .norm = query.score.norm, .spread = query.score.spread};
      return query.coin < rule_.ask_probability(score, tally_);
    });
    return why;
  }
  /// Does the rule use the spread of a learner that has one?
  [[nodiscard]] bool uses_spread() const {
    if constexpr (UsesSpread<R>) return rule_.uses_spread();
    return R::needs_spread;
  }
  void count_spread() { ++tally_.spreads; }
  /// The stream's time of the next round, for budgets that depend on time.
  void advance_to(std::int64_t time) {
    if (pacer_) pacer_->advance_to(time);
  }

  [[nodiscard]] const Tally& tally() const { return tally_; }

  /// THROWS: NumericError.
  void expect_finite(double number, const char* what) const {
    if (!std::isfinite(number)) {
      throw_numeric_error(what, " is not finite", tally_.round, task_);
    }
  }

  [[gnu::noinline]] static void state(auto& self, auto& visit) {
    visit("tally", self.tally_);
    if constexpr (HasState<R>) visit("rule", self.rule_);
    if (self.pacer_) visit("pacer", *self.pacer_);
  }
  /// Could the loaded state have been saved by a decider?
  [[nodiscard]] bool consistent() const { return tally_.consistent() && (!pacer_ || pacer_->consistent()); }

 private:
  [[nodiscard]] std::string_view name() const {
    if constexpr (NamedRule<R>) {
      return R::info.name;
    } else {
      return rule_.name();
    }
  }

  [[nodiscard]] double probability_at(const Score& score) const {
    const double probability = rule_.ask_probability(score, tally_);
    if (!(probability >= 0 && probability <= 1)) {
      throw_numeric_error("the ask probability", " is not in [0, 1]", tally_.round, task_);
    }
    return probability;
  }

  [[nodiscard]] bool observes_score() const {
    if constexpr (ObservesScore<R>) return rule_.observes_score();
    return false;
  }
  [[nodiscard]] bool is_blocked() { return pacer_ && !pacer_->may_ask(); }
  // The budget is looked at only where the rule would ask: in most rounds it does not.
  void hold_back_without_budget(Query& query) {
    held_back_ = query.probability > 0 && is_blocked();
    if (held_back_) query.probability = 0;
  }

  // Drawing a coin takes time, and the coin decides nothing where the probability is 0 or 1.
  void toss(Query& query) {
    const bool open = query.probability > 0 && query.probability < 1;
    if (open || exactness_ == Exactness::exact) query.coin = coin_(query.round);
    query.asked = query.coin < query.probability;
    if (audit_ == 0) return;
    query.audit_coin = audit_coin_(query.round);
    if (!pacer_ || pacer_->may_audit()) query.audit = audit_;
    query.audited = query.audit_coin < query.audit;
    query.asked |= query.audited;
  }

  // Sets the scale for this round.
  void pace() {
    if constexpr (HasScale<R>) {
      pacer_->next_round();
      if (pacer_->is_due()) look();
      rule_.set_scale(pacer_->scale());
    }
  }
  void look() {
    if constexpr (RanksScores<R>) {
      if (pacer_->look_at_ranks([&](const Score& score) { return rule_.rank(score); },
                                [&](double rank) { return rule_.critical_scale(rank, tally_); })) {
        return;
      }
    }
    if constexpr (HasScale<R>) {
      pacer_->look([&](double scale) { rule_.set_scale(scale); },
                   [&](const Score& score) { return steady_probability(score); });
    }
  }
  [[nodiscard]] double steady_probability(const Score& score) const {
    if constexpr (HasSteadyProbability<R>) {
      return rule_.steady_probability(score, tally_);
    } else {
      return probability_at(score);
    }
  }

  Tally tally_;
  R rule_;
  Coin coin_;
  Exactness exactness_;
  std::uint64_t task_;
  double audit_;
  Coin audit_coin_;
  std::optional<Pacer> pacer_;  // only with a budget
  bool held_back_ = false;      // in the last round with an exact score
};

}  // namespace askfew

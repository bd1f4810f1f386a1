#pragma once

#include <cmath>
#include <utility>

#include "askfew/core/concepts.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {

/// Whether a sampler may leave uncomputed what would not change a decision: the spread of an instance where
/// bounds settle it, the coin where the probability does.
enum class Exactness : std::uint8_t {
  lazy,  ///< the same decisions, faster
  exact  ///< every margin, probability and coin is there, for traces
};

/// Which labels are worth asking: a rule, the coin, and the tally of what was decided. It knows scores, and
/// nothing of who computed them.
template <Rule R>
class Decisions {
 public:
  Decisions(R rule, CoinKey key, Exactness exactness)
      : rule_(std::move(rule)), exactness_(exactness), task_(key.task), coin_(key) {}

  /// A new round. `changes`: how often the learner has changed so far.
  Query begin(std::uint64_t changes) {
    ++tally_.round;
    return {.round = tally_.round, .version = changes};
  }

  /// Decides by the query's score. THROWS: NumericError.
  void decide(Query& query) {
    query.probability = probability_at(query.score);
    toss(query);
  }
  /// Asks, whatever the rule says.
  void ask_surely(Query& query) {
    query.probability = 1;
    toss(query);
  }
  /// Decides without the spread r, if it can. r lies in [0, bound], and a rule's probability never rises with
  /// |margin| and never falls with r: it lies between its values at 0 and at the bound. If the coin does not,
  /// every r decides the same. The score is left as it is at 0: its sign is right. THROWS: NumericError.
  bool settle(Query& query, const Score& at_zero, const Score& at_bound) {
    query.coin = coin_(query.round);
    const double most = probability_at(at_bound);
    const double least = probability_at(at_zero);
    constexpr bool observes_spread = Observes<R> && R::needs_spread;
    const bool must_ask = query.coin < least && !observes_spread;
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
    return exactness_ == Exactness::lazy;
  }

  /// The round is decided.
  void end(const Query& query) {
    if constexpr (LooksAhead<R>) rule_.look_ahead(query.score, tally_);
    tally_.expected_asked += query.probability;
    if (query.asked) ++tally_.asked;
  }
  /// The label that was asked has been learned.
  void observe(const Query& query, bool mistake, bool updated) {
    if (updated) ++tally_.updates;
    if constexpr (Observes<R>) rule_.observe(query.score, mistake, updated);
  }
  void count_spread() { ++tally_.spreads; }

  [[nodiscard]] const Tally& tally() const { return tally_; }

  /// The margin, if it is a number. THROWS: NumericError.
  double finite(double margin) const {
    if (!std::isfinite(margin)) throw NumericError("the margin is not finite", tally_.round, task_);
    return margin;
  }

  static void state(auto& self, auto& visit) {
    visit("tally", self.tally_);
    if constexpr (HasState<decltype(self.rule_), decltype(visit)>) visit("rule", self.rule_);
  }

 private:
  [[nodiscard]] double probability_at(const Score& score) const {
    const double probability = rule_.ask_probability(score, tally_);
    if (!(probability >= 0 && probability <= 1)) {
      throw NumericError("the ask probability is not in [0, 1]", tally_.round, task_);
    }
    return probability;
  }

  // A coin takes time to draw, and decides nothing where the probability is 0 or 1.
  void toss(Query& query) {
    const bool open = query.probability > 0 && query.probability < 1;
    if (open || exactness_ == Exactness::exact) query.coin = coin_(query.round);
    query.asked = query.coin < query.probability;
  }

  R rule_;
  Exactness exactness_;
  std::uint64_t task_;
  Coin coin_;
  Tally tally_;
};

}  // namespace askfew

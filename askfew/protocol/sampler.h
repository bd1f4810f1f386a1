#pragma once

#include <cmath>
#include <span>

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

/// A learner, a rule and an update policy, joined by the protocol: `ask` is the half of a round before the
/// oracle, `tell` the half after it. Simulation, terminal and service all call these two.
template <class L, class R>
  requires Pairable<L, R>
class Sampler {
 public:
  /// THROWS: ConfigError if the learner does not accept the policy.
  Sampler(L learner, R rule, UpdatePolicy policy, CoinKey key, Exactness exactness = Exactness::lazy)
      : learner_(std::move(learner)),
        rule_(std::move(rule)),
        policy_(policy),
        exactness_(exactness),
        task_(key.task),
        coin_(key) {
    if (!accepts<L>(policy))
      throw ConfigError(std::string(L::info.name) + " does not accept this update policy");
  }

  /// Predicts, and decides whether the label is worth asking. THROWS: NumericError, MemoryError.
  Query ask(const FeatureView& x) {
    ++tally_.round;
    Query query{.round = tally_.round, .version = version_};
    if (is_waiting_to_start()) {
      query.probability = 1;
      toss(query);
    } else {
      with_round(tally_.round, [&] { decide(x, query); });
    }
    query.prediction = sgn(query.score.margin);
    if constexpr (LooksAhead<R>) rule_.look_ahead(query.score, tally_);
    tally_.expected_asked += query.probability;
    if (query.asked) ++tally_.asked;
    return query;
  }

  /// Learns the label that a query asked for, and says whether the learner was updated. If the learner has
  /// changed since the query, the policy judges by its margin of now; the mistake that the rule observes is
  /// the one of then. REQUIRES: query.asked. THROWS: NumericError, MemoryError.
  bool tell(const FeatureView& x, Label y, const Query& query) {
    EXPECTS(query.asked);
    if constexpr (HasStart<L>) {
      if (!learner_.started()) {
        with_round(query.round, [&] { learner_.start(x, y); });
        ++version_;
        return false;  // an initialisation, which no rule observes
      }
    }
    const double margin = query.version == version_ ? query.score.margin : learner_.margin(x);
    const bool updated = wants(y, margin);
    if (updated) {
      with_round(query.round, [&] { learner_.update(x, y, margin); });
      ++version_;
      ++tally_.updates;
    }
    if constexpr (Observes<R>) rule_.observe(query.score, query.prediction != y, updated);
    return updated;
  }

  /// Tells the learner which instances will be asked about next; changes no result. The views must stay valid
  /// until the next call.
  void read_ahead([[maybe_unused]] std::span<const FeatureView> upcoming) {
    if constexpr (ReadsAhead<L>) with_round(tally_.round + 1, [&] { learner_.read_ahead(upcoming); });
  }

  [[nodiscard]] double margin(const FeatureView& x) const {
    double margin = 0;
    with_round(tally_.round, [&] { margin = learner_.margin(x); });
    return margin;
  }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const L& learner() const { return learner_; }

  static void state(auto& self, auto& visit) {
    visit("tally", self.tally_);
    visit("version", self.version_);
    if constexpr (HasState<decltype(self.learner_), decltype(visit)>) visit("learner", self.learner_);
    if constexpr (HasState<decltype(self.rule_), decltype(visit)>) visit("rule", self.rule_);
  }

 private:
  static constexpr bool decides_by_spread = [] {
    if constexpr (HasSpread<L>) return L::margin_is_divided || R::needs_spread;
    return false;
  }();

  [[nodiscard]] bool is_waiting_to_start() const {
    if constexpr (HasStart<L>) return !learner_.started();
    return false;
  }

  void decide(const FeatureView& x, Query& query) {
    query.score.norm = norm_of(x);
    if constexpr (decides_by_spread) {
      const double undivided = finite(learner_.undivided_margin(x));
      if (may_be_lazy() && settle(query, undivided, learner_.spread_bound(x))) return;
      query.score = score_at(undivided, learner_.spread(x), query.score.norm);
      ++tally_.spreads;
    } else {
      query.score.margin = learner_.margin(x);
    }
    finite(query.score.margin);
    query.probability = probability_at(query.score);
    toss(query);
  }

  // A coin takes time to draw, and decides nothing where the probability is 0 or 1.
  void toss(Query& query) {
    const bool open = query.probability > 0 && query.probability < 1;
    if ((open || exactness_ == Exactness::exact)) query.coin = coin_(query.round);
    query.asked = query.coin < query.probability;
  }

  [[nodiscard]] double norm_of(const FeatureView& x) const {
    if constexpr (HasNorm<L>) return std::sqrt(learner_.squared_norm(x));
    return std::sqrt(x.squared_norm());
  }

  [[nodiscard]] bool may_be_lazy() const {
    if constexpr (LooksAhead<R>) {
      if (rule_.looks_ahead()) return false;
    }
    return exactness_ == Exactness::lazy;
  }

  // The spread r lies in [0, bound], and a rule's probability never rises with |margin| and never falls with
  // r: it lies between its values at 0 and at the bound. If the coin does not, every r decides the same. The
  // margin is left undivided then: its sign is right.
  bool settle(Query& query, double undivided, double bound)
    requires decides_by_spread
  {
    query.coin = coin_(query.round);
    const double most = probability_at(score_at(undivided, bound, query.score.norm));
    const double least = probability_at(score_at(undivided, 0, query.score.norm));
    constexpr bool observes_spread = Observes<R> && R::needs_spread;
    const bool must_ask = query.coin < least && !observes_spread;
    const bool cannot_ask = query.coin >= most;
    if (!must_ask && !cannot_ask) return false;
    query.score.margin = undivided;
    query.probability = most;
    query.asked = must_ask;
    tally_.expected_slack += most - least;
    return true;
  }

  static Score score_at(double undivided, double spread, double norm)
    requires decides_by_spread
  {
    const double margin = L::margin_is_divided ? undivided / (1 + spread) : undivided;
    return {.margin = margin, .norm = norm, .spread = spread};
  }

  [[nodiscard]] double probability_at(const Score& score) const {
    const double probability = rule_.ask_probability(score, tally_);
    if (!(probability >= 0 && probability <= 1)) {
      throw NumericError("the ask probability is not in [0, 1]", tally_.round, task_);
    }
    return probability;
  }

  double finite(double margin) const {
    if (!std::isfinite(margin)) throw NumericError("the margin is not finite", tally_.round, task_);
    return margin;
  }

  template <class F>
  void with_round(std::uint64_t round, F&& f) const {
    try {
      f();
    } catch (const NumericFailure& failure) {
      throw NumericError(failure.what(), round, task_);
    } catch (const MemoryError& error) {
      throw MemoryError(at_round(round, task_, error.what()));
    }
  }

  [[nodiscard]] bool wants(Label y, double margin) const {
    switch (policy_) {
      case UpdatePolicy::asked:
        return true;
      case UpdatePolicy::margin:
        if constexpr (HasLoss<L>) return learner_.suffers(y, margin);
        [[fallthrough]];
      case UpdatePolicy::mistake:
        break;
    }
    return sgn(margin) != y;
  }

  L learner_;
  R rule_;
  UpdatePolicy policy_;
  Exactness exactness_;
  std::uint64_t task_;
  Coin coin_;
  Tally tally_;
  std::uint64_t version_ = 0;
};

}  // namespace askfew

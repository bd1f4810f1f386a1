#pragma once

#include <cmath>
#include <span>

#include "askfew/core/concepts.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"
#include "askfew/protocol/ask_decider.h"

namespace askfew {

/// A learner, a rule and an update policy, joined by the protocol: `ask` is the half of a round before the
/// oracle, `tell` the half after it. Simulation, terminal and service all call these two.
template <class L, class R>
  requires Pairable<L, R>
class Sampler {
 public:
  /// THROWS: ConfigError if the learner does not accept the policy.
  Sampler(L learner, R rule, UpdatePolicy policy, CoinKey key, Exactness exactness = Exactness::lazy,
          const Spending& spending = {})
      : learner_(std::move(learner)),
        decider_(std::move(rule), key, exactness, spending),
        policy_(policy),
        task_(key.task) {
    if (!accepts<L>(policy))
      throw ConfigError(std::string(L::info.name) + " does not accept this update policy");
  }

  /// Predicts, and decides whether the label is worth asking. THROWS: NumericError, MemoryError.
  Query ask(const FeatureView& x) {
    Query query = decider_.begin(version_);
    if (!started()) {
      decider_.ask_surely(query);
    } else {
      with_round(query.round, [&] { decide(x, query); });
    }
    query.prediction = sgn(query.score.margin);
    decider_.end(query);
    return query;
  }

  /// Learns the label that a query asked for, and says whether the learner was updated. If the learner has
  /// changed since the query, the policy judges by its margin of now; the mistake that the rule observes is
  /// the one of then. REQUIRES: query.asked. THROWS: NumericError, MemoryError.
  bool tell(const FeatureView& x, Label y, const Query& query) {
    EXPECTS(query.asked);
    if constexpr (NeedsFirstLabel<L>) {
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
    }
    decider_.observe(query, query.prediction != y, updated);
    return updated;
  }

  /// At most so many bytes of the memory limit it takes to learn x.
  [[nodiscard]] std::size_t growth([[maybe_unused]] const FeatureView& x) const {
    if constexpr (Grows<L>) return learner_.growth(x);
    return 0;
  }

  /// Why the last query was decided so, and which features weigh most in it if its label was asked. REQUIRES:
  /// it is exact, and nothing was told since. THROWS: NumericError.
  [[nodiscard]] Explanation explain(const FeatureView& x, const Query& query) const {
    Explanation why = decider_.explain(query);
    why.started = started();
    if (query.asked && why.started) {
      with_round(query.round, [&] { why.heaviest = heaviest_features(x, query.score); });
    }
    return why;
  }

  /// Tells the learner which instances will be asked about next; changes no result. The views must stay valid
  /// until the next call.
  void read_ahead([[maybe_unused]] std::span<const FeatureView> upcoming) {
    if constexpr (ReadsAhead<L>) with_round(tally().round + 1, [&] { learner_.read_ahead(upcoming); });
  }

  [[nodiscard]] double margin(const FeatureView& x) const {
    double margin = 0;
    with_round(tally().round, [&] { margin = learner_.margin(x); });
    return margin;
  }
  /// |x| in the learner's space.
  [[nodiscard]] double norm(const FeatureView& x) const {
    if constexpr (HasNorm<L>) return std::sqrt(learner_.squared_norm(x));
    return std::sqrt(x.squared_norm());
  }
  /// Has the learner a hypothesis, or must it see a label first?
  [[nodiscard]] bool started() const {
    if constexpr (NeedsFirstLabel<L>) return learner_.started();
    return true;
  }
  void advance_to(std::int64_t time) { decider_.advance_to(time); }
  [[nodiscard]] const Tally& tally() const { return decider_.tally(); }
  /// Is a state that was just loaded one that could have been saved?
  [[nodiscard]] bool consistent() const {
    if constexpr (requires(const L& learner) { learner.consistent(); }) {
      if (!learner_.consistent()) return false;
    }
    return decider_.consistent();
  }
  [[nodiscard]] const L& learner() const { return learner_; }

  static void state(auto& self, auto& visit) {
    AskDecider<R>::state(self.decider_, visit);
    visit("version", self.version_);
    if constexpr (HasState<decltype(self.learner_), decltype(visit)>) visit("learner", self.learner_);
  }

 private:
  static constexpr bool decides_by_spread = [] {
    if constexpr (HasSpread<L>) return L::margin_is_divided || R::needs_spread;
    return false;
  }();

  void decide(const FeatureView& x, Query& query) {
    query.score.norm = norm(x);
    if constexpr (decides_by_spread) {
      const double undivided = decider_.finite(learner_.undivided_margin(x));
      const auto score_at = [&](double spread) {
        const double margin = L::margin_is_divided ? undivided / (1 + spread) : undivided;
        return Score{.margin = margin, .norm = query.score.norm, .spread = spread};
      };
      if (decider_.may_be_lazy() &&
          decider_.decide_by_bounds(query, score_at(0), score_at(learner_.spread_bound(x)))) {
        return;
      }
      query.score = score_at(learner_.spread(x));
      decider_.count_spread();
    } else {
      query.score.margin = learner_.margin(x);
    }
    decider_.finite(query.score.margin);
    decider_.decide(query);
  }

  /// None if their shares, and what the margin is without any, do not sum up to the margin: then it is not
  /// linear. A kernel's is not, and would take long to find out.
  [[nodiscard]] HeaviestFeatures heaviest_features(const FeatureView& x, const Score& score) const {
    HeaviestFeatures heaviest;
    if constexpr (!HasNorm<L>) {
      const double alone = share_of(FeatureView(), score);
      double sum = alone;
      double size = std::abs(alone);
      x.for_each([&](FeatureView::Index index, double value) {
        const double share = share_of(FeatureView::sparse({&index, 1}, {&value, 1}), score) - alone;
        sum += share;
        size += std::abs(share) + std::abs(alone);
        heaviest.add({index, share});
      });
      constexpr double rounding = 1e-9;
      if (!(std::abs(sum - score.margin) <= rounding * size)) return {};
    }
    return heaviest;
  }
  [[nodiscard]] double share_of(const FeatureView& one, [[maybe_unused]] const Score& score) const {
    if constexpr (decides_by_spread) {
      return learner_.undivided_margin(one) / (L::margin_is_divided ? 1 + score.spread : 1);
    } else {
      return learner_.margin(one);
    }
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
  AskDecider<R> decider_;
  UpdatePolicy policy_;
  std::uint64_t task_;
  std::uint64_t version_ = 0;
};

}  // namespace askfew

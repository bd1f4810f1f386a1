#pragma once

// The sampler: `ask` predicts and decides, `tell` learns.

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"
#include "askfew/protocol/aim.h"
#include "askfew/protocol/ask_decider.h"
#include "askfew/protocol/heaviest_features.h"

namespace askfew {

/// A margin as a sum over features: the sum of weights[i] x_i, plus the offset. Features beyond the end have
/// weight 0.
struct LinearForm {
  std::vector<double> weights;
  double offset = 0;
  bool is_divided = false;  ///< the margin is the sum divided by 1 + r, r the learner's spread
};

/// `Seen` of a learner that learns from instances, else an empty type.
struct NothingSeen {};
template <class L>
struct SeenBy {
  using type = NothingSeen;
};
template <SeesInstances L>
struct SeenBy<L> {
  using type = typename L::Seen;
};

/// A learner, a rule and an update policy, joined by the protocol. `ask` is the half of a round before the
/// oracle, `tell` the half after the oracle. Simulation, terminal and service all call these two functions.
template <class L, class R>
  requires Pairable<L, R>
class Sampler {
 public:
  /// THROWS: ConfigError if the learner does not accept the policy.
  Sampler(L learner, R rule, UpdatePolicy policy, CoinKey key, Exactness exactness = Exactness::lazy,
          const Spending& spending = {}, const Aim& aim = {})
      : policy_(policy),
        learner_(std::move(learner)),
        decider_(std::move(rule), key, aim.is_accuracy() ? exactness : Exactness::exact, spending),
        task_(key.task) {
    if (!aim.is_accuracy()) cut_.emplace(aim);
    is_simple_ = !cut_ && decider_.is_simple();
    if (!accepts<L>(policy)) throw_config_error("", L::info.name, " does not accept this update policy");
  }

  /// Predicts, and decides whether to ask the label. THROWS: NumericError, MemoryError.
  Query ask(const FeatureView& x) {
    if constexpr (has_margin_alone) {
      if (is_plainly_decided()) return decider_.idles_next() ? ask_plainly<true>(x) : ask_plainly<false>(x);
    }
    see_instance(x);
    return ask_seen(x);
  }
  /// A whole round, if the margin and the norm of x are known: asks, and learns y if it is asked, when
  /// learn(query, y) was called. Returns the prediction. THROWS: NumericError, MemoryError; then nothing was
  /// learned.
  template <class Learn>
  [[gnu::always_inline]] Label run(const FeatureView& x, double margin, double norm, Label y, Learn&& learn)
    requires HasSharedMargin<L>
  {
    static_assert(has_margin_alone);
    if (is_plainly_decided() && decider_.idles_next()) {
      const Score score{.margin = margin, .norm = norm};
      decider_.begin_idle_round();
      const auto decision = decider_.decide_plainly(score);
      if (decision.asked) learn_in_run(x, y, query_of(decision, score), learn);
      return sgn(margin);
    }
    const Query query = ask(x);
    if (query.asked) learn_in_run(x, y, query, learn);
    return query.prediction;
  }
  /// The rule's bound of margins (see StaysSilent) for the next rounds; infinity if other things than the
  /// rule decide.
  [[nodiscard]] double silent_above(std::uint64_t rounds) const
    requires StaysSilent<R>
  {
    return is_plain() ? decider_.silent_above(rounds) : std::numeric_limits<double>::infinity();
  }
  /// Do the rule and its coin alone decide the next rounds?
  [[nodiscard]] bool is_plain() const { return is_plainly_decided() && !decider_.has_budget(); }
  /// For groups, which decide and count the rounds of several tasks at once.
  [[nodiscard]] AskDecider<R>& decider() { return decider_; }
  [[nodiscard]] UpdatePolicy policy() const { return policy_; }
  /// Learns the label of a query whose margin is of the present weights. THROWS: as `tell`.
  void tell_now(const FeatureView& x, Label y, Query query) {
    query.version = version_;
    tell(x, y, query);
  }
  /// The two parts of `ask`: the learner sees the instance, if it learns from instances; then the decision.
  /// `see` returns the margin. THROWS: NumericError, MemoryError.
  double see(const FeatureView& x) {
    see_instance(x);
    double margin = 0;
    with_round(tally().round + 1,
               [&] { as_seen(x, [&](const auto& instance) { margin = learner_.margin(instance); }); });
    return margin;
  }
  Query ask_seen(const FeatureView& x) {
    const Query query = decide_with(decider_, x);
    if (cut_ && !query.asked) cut_->pass(query.score.margin, query.chance());
    return query;
  }
  /// The query that `ask` would return; changes nothing. A learner that learns from instances is copied.
  /// THROWS: NumericError, MemoryError.
  [[nodiscard]] Query peek(const FeatureView& x) const {
    if constexpr (SeesInstances<L>) {
      Sampler copy = *this;
      return copy.ask(x);
    } else {
      AskDecider<R> decider = decider_;
      return decide_with(decider, x);
    }
  }

  /// Learns the label of a query; returns whether the learner was updated. If the learner has changed since
  /// the query, the policy uses the learner's present margin, but the rule observes the mistake of the
  /// original prediction. REQUIRES: query.asked. THROWS: NumericError if the learner's numbers might not stay
  /// finite, MemoryError; then nothing was learned.
  bool tell(const FeatureView& x, Label y, const Query& query) {
    EXPECTS(query.asked);
    if constexpr (NeedsFirstLabel<L>) {
      if (!learner_.started()) {
        with_round(query.round, [&] { learner_.start(x, y); });
        ++version_;
        return false;  // an initialisation; no rule observes it
      }
    }
    const double margin = query.version == version_ ? query.score.margin : margin_now(x, query.round);
    const bool updated = wants(y, margin);
    if (updated) {
      with_round(query.round, [&] {
        if (query.version != version_) return learner_.update(x, y, margin);  // others were seen since
        as_seen(x, [&](const auto& instance) { learner_.update(instance, y, margin); });
      });
      ++version_;
    }
    decider_.observe(query, sgn(query.score.margin) != y, updated);
    if (!is_simple_ && cut_) cut_->learn(query.score.margin, y, query.chance());
    return updated;
  }

  /// Explains the decision of the last query, and the features that weigh most if the label was asked.
  /// REQUIRES: exact mode, and no label was told since the query. THROWS: NumericError.
  [[nodiscard]] Explanation explain(const FeatureView& x, const Query& query) const {
    Explanation why = decider_.explain(query);
    why.started = started();
    if (query.asked && why.started) {
      with_round(query.round,
                 [&] { why.heaviest = heaviest_features<L, decides_by_spread>(learner_, x, query.score); });
    }
    return why;
  }

  /// Tells the learner the next instances; changes no result. The views must stay valid until the next call.
  void read_ahead([[maybe_unused]] std::span<const FeatureView> upcoming) {
    if constexpr (ReadsAhead<L>) with_round(tally().round + 1, [&] { learner_.read_ahead(upcoming); });
  }

  /// Many threads may call this function at the same time, like all const members.
  [[nodiscard]] double margin(const FeatureView& x) const {
    double margin = 0;
    with_round(tally().round, [&] { margin = learner_.margin(x); });
    return margin;
  }
  /// |x| in the learner's space.
  template <class Instance>
  [[nodiscard]] double norm(const Instance& x) const {
    if constexpr (HasNorm<L>) {
      return std::sqrt(learner_.squared_norm(x));
    } else {
      return std::sqrt(x.squared_norm());
    }
  }
  /// The prediction is positive where the margin is above this number: 0, unless the aim is not accuracy.
  [[nodiscard]] double cut() const { return cut_ ? cut_->cut() : 0; }
  /// Does the learner have a hypothesis? If not, it must see a label first.
  [[nodiscard]] bool started() const {
    if constexpr (NeedsFirstLabel<L>) return learner_.started();
    return true;
  }
  /// The weights and the offset, if the learner's margin is such a sum.
  [[nodiscard]] std::optional<LinearForm> linear_form() const {
    if constexpr (HasWeights<L>) {
      if (std::optional<std::vector<double>> weights = learner_.weights()) {
        bool is_divided = false;
        if constexpr (HasSpread<L>) is_divided = L::margin_is_divided;
        return LinearForm{.weights = *std::move(weights), .offset = offset(), .is_divided = is_divided};
      }
    }
    return std::nullopt;
  }
  /// The margin of the zero vector.
  [[nodiscard]] double offset() const {
    if constexpr (HasOffset<L>) return learner_.offset();
    return 0;
  }
  /// Can the weights be replaced, and does an update change only the weights of its instance's features?
  [[nodiscard]] static constexpr bool has_local_weights() { return HasLocalWeights<L>; }
  /// REQUIRES: has_local_weights(), at most as many weights as the linear form has, and no asked label that
  /// is still missing.
  void set_weights([[maybe_unused]] std::span<const double> weights) {
    EXPECTS(has_local_weights());
    if constexpr (HasLocalWeights<L>) learner_.set_weights(weights);
  }
  void advance_to(std::int64_t time) { decider_.advance_to(time); }
  [[nodiscard]] const Tally& tally() const { return decider_.tally(); }
  /// Could the loaded state have been saved by a sampler?
  [[nodiscard]] bool consistent() const {
    if constexpr (ChecksState<L>) {
      if (!learner_.consistent()) return false;
    }
    return decider_.consistent() && (!cut_ || cut_->consistent());
  }
  [[nodiscard]] const L& learner() const { return learner_; }

  static void state(auto& self, auto& visit) {
    AskDecider<R>::state(self.decider_, visit);
    visit("version", self.version_);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) self.seen_version_.reset();
    if constexpr (HasState<L>) visit("learner", self.learner_);
    if (self.cut_) visit("aim", *self.cut_);
  }

 private:
  void see_instance([[maybe_unused]] const FeatureView& x) {
    if constexpr (SeesInstances<L>) {
      seen_version_.reset();
      with_round(tally().round + 1, [&] { learner_.see(x, seen_); });
      seen_version_ = ++version_;
    }
  }

  static constexpr bool decides_by_spread = [] {
    if constexpr (HasSpread<L>) return L::margin_is_divided || R::needs_spread;
    return false;
  }();

  /// Does the decider decide plainly?
  [[nodiscard]] bool is_plainly_decided() const { return is_simple_ && started(); }

  /// Is a score the margin, and the norm of the instance as it is?
  static constexpr bool has_margin_alone = !HasSpread<L> && !HasNorm<L> && !SeesInstances<L>;

  /// A round that is decided plainly. The pacer comes before the margin: so the processor computes the scale
  /// and the margin at the same time.
  template <bool idles>
  Query ask_plainly(const FeatureView& x) {
    idles ? decider_.begin_idle_round() : decider_.begin_round();
    Score score{.norm = norm(x)};
    with_round(tally().round, [&] { score.margin = learner_.margin(x); });
    const auto decision = decider_.decide_plainly(score);
    if constexpr (!idles) decider_.remember(score);
    return query_of(decision, score);
  }
  /// The query of the last round.
  [[nodiscard]] Query query_of(const typename AskDecider<R>::PlainDecision& decision,
                               const Score& score) const {
    return {.round = tally().round,
            .prediction = sgn(score.margin),
            .score = score,
            .probability = decision.probability,
            .coin = decision.coin,
            .asked = decision.asked,
            .version = version_};
  }
  template <class Learn>
  void learn_in_run(const FeatureView& x, Label y, const Query& query, Learn&& learn) {
    learn(query, y);
    tell(x, y, query);
  }

  Query decide_with(AskDecider<R>& decider, const FeatureView& x) const {
    Query query = decider.begin(version_);
    if (!started()) {
      decider.ask_surely(query);
    } else {
      with_round(query.round, [&] { decide(x, decider, query); });
    }
    query.prediction = sgn(query.score.margin - cut());
    decider.end(query);
    return query;
  }

  void decide(const FeatureView& x, AskDecider<R>& decider, Query& query) const {
    as_seen(x, [&](const auto& instance) { query.score.norm = norm(instance); });
    decider.expect_finite(query.score.norm, "the norm of the instance");
    if constexpr (HasSpread<L>) {
      if (L::margin_is_divided || decider.uses_spread()) return decide_by_spread(x, decider, query);
    }
    as_seen(x, [&](const auto& instance) { query.score.margin = learner_.margin(instance); });
    decider.expect_finite(query.score.margin, "the margin");
    decider.decide(query);
  }

  void decide_by_spread([[maybe_unused]] const FeatureView& x, [[maybe_unused]] AskDecider<R>& decider,
                        [[maybe_unused]] Query& query) const {
    if constexpr (HasSpread<L>) {
      double undivided = 0;
      as_seen(x, [&](const auto& instance) { undivided = learner_.undivided_margin(instance); });
      decider.expect_finite(undivided, "the margin");
      const auto score_at = [&](double spread) {
        const double margin = L::margin_is_divided ? undivided / (1 + spread) : undivided;
        return Score{.margin = margin, .norm = query.score.norm, .spread = spread};
      };
      if (decider.may_be_lazy()) {
        double bound = 0;
        as_seen(x, [&](const auto& instance) { bound = learner_.spread_bound(instance); });
        if (decider.decide_by_bounds(query, score_at(0), score_at(bound))) return;
      }
      as_seen(x, [&](const auto& instance) { query.score = score_at(learner_.spread(instance)); });
      decider.expect_finite(query.score.spread, "the spread");
      decider.count_spread();
      decider.expect_finite(query.score.margin, "the margin");
      decider.decide(query);
    }
  }

  /// The present margin of an instance whose round was earlier.
  [[nodiscard]] double margin_now(const FeatureView& x, std::uint64_t round) const {
    double margin = 0;
    with_round(round, [&] { margin = learner_.margin(x); });
    if (!std::isfinite(margin)) throw_numeric_error("the margin", " is not finite", round, task_);
    return margin;
  }

  /// f(x), or f of the instance as the learner saw it, if the learner has not changed since.
  template <class F>
  void as_seen(const FeatureView& x, F&& f) const {
    if constexpr (SeesInstances<L>) {
      if (seen_version_ == version_) return f(seen_);
    }
    f(x);
  }

  template <class F>
  void with_round(std::uint64_t round, F&& f) const {
    try {
      f();
    } catch (const Error&) {
      rethrow_at_round(round, task_);
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

  // What most rounds need comes first: it fills few cache lines.
  bool is_simple_ = false;  // there is no cut, and see AskDecider::is_simple
  UpdatePolicy policy_;
  std::uint64_t version_ = 0;
  L learner_;
  AskDecider<R> decider_;
  std::uint64_t task_;
  std::optional<AimedCut> cut_;  // only if the aim is not accuracy
  // The last instance as the learner saw it, and the version of the learner then; nothing after loading.
  [[no_unique_address]] typename SeenBy<L>::type seen_;
  std::optional<std::uint64_t> seen_version_;
};

}  // namespace askfew

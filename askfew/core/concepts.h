#pragma once

// What a learner and a rule must have, and everything else that they may offer. Each offer is a concept with
// one sentence in this file. All code that depends on an offer (the sampler, the catalog, `askfew list`, the
// conformance and golden tests, the pages about the algorithms, the final classifier) checks its concept.

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/core/coin.h"
#include "askfew/core/features.h"
#include "askfew/core/label.h"
#include "askfew/core/policy.h"
#include "askfew/core/query.h"
#include "askfew/core/score.h"
#include "askfew/core/snapshot.h"
#include "askfew/core/tally.h"

namespace askfew {

class MemoryLimit;

/// What a learner or rule may know when it is made.
struct Setting {
  CoinKey key;
  FeatureView::Index dimension = 0;       ///< number of features, 0 if not known up front
  std::shared_ptr<MemoryLimit> memory{};  ///< shared by all tasks; null: no limit
};

/// The description of an algorithm for readers; each algorithm has one as `static constexpr info`.
struct LearnerInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  UpdatePolicy policy = UpdatePolicy::mistake;  ///< the default policy
  bool unit_norm = false;                       ///< REQUIRES instances of norm 1 (or 0)
  std::string_view test_params{};               ///< parameters for the tests: sets separated by spaces;
                                                ///< empty: the defaults
};
struct RuleInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  std::string_view scale{};        ///< the larger this parameter, the more the rule asks; empty: none
  std::string_view test_params{};  ///< as for a learner
};

// ---- What every learner has.

/// A learner has a pure margin and learns from (x, y). `update` receives the learner's present margin on x,
/// which the sampler has already computed.
template <class L>
concept Learner = requires(const L& learner, L& changing, const FeatureView& x, Label y, double margin,
                           const typename L::Params& params, const Setting& setting) {
  { L::info } -> std::convertible_to<LearnerInfo>;
  L(params, setting);
  { learner.margin(x) } -> std::same_as<double>;
  { changing.update(x, y, margin) } -> std::same_as<void>;
};

// ---- What learners and rules may offer.

/// A learner or rule with state. `state` lists all of the state, once for saving and loading.
template <class A>
concept HasState = requires(const A& algorithm, SnapshotWriter& visit) { A::state(algorithm, visit); };

/// A learner whose parts could contradict each other after loading. A model is refused if `consistent()` is
/// false.
template <class L>
concept ChecksState = requires(const L& learner) {
  { learner.consistent() } -> std::same_as<bool>;
};

/// A learner or rule that, with some parameters, must know the number of features before the first round.
template <class A>
concept NeedsDimension = requires(const typename A::Params& params) {
  { A::needs_dimension(params) } -> std::same_as<bool>;
};

/// A learner that, with some parameters, gains from knowing that there are `dimension` features.
template <class A>
concept GainsFromDimension = requires(const typename A::Params& params, FeatureView::Index dimension) {
  { A::gains_from_dimension(params, dimension) } -> std::same_as<bool>;
};

// ---- What learners may offer.

/// A learner with its own loss, for UpdatePolicy::margin: is the loss of margin m at label y positive?
template <class L>
concept HasLoss = Learner<L> && requires(const L& learner, Label y, double margin) {
  { learner.suffers(y, margin) } -> std::same_as<bool>;
};

/// A learner whose update is correct only after a mistake: UpdatePolicy::asked makes no sense for this
/// learner.
template <class L>
concept UpdatesOnMistakesOnly = Learner<L> && requires { requires L::updates_on_mistakes_only; };

/// A learner that must see one label before it has a hypothesis (reflect). Until `started()`, every label is
/// asked, `start` replaces `update`, and no rule observes the label.
template <class L>
concept NeedsFirstLabel =
    Learner<L> && requires(const L& learner, L& changing, const FeatureView& x, Label y) {
      { learner.started() } -> std::same_as<bool>;
      { changing.start(x, y) } -> std::same_as<void>;
    };

/// A learner with a spread r = x'Qx >= 0, its uncertainty about x. `undivided_margin` is w.x, and the margin
/// is w.x / (1 + r) if `margin_is_divided`, else w.x itself. `spread_bound` is cheap and never below the
/// computed `spread`: the sampler computes r only where the bounds leave doubt.
template <class L>
concept HasSpread = Learner<L> && requires(const L& learner, const FeatureView& x) {
  { learner.undivided_margin(x) } -> std::same_as<double>;
  { learner.spread(x) } -> std::same_as<double>;
  { learner.spread_bound(x) } -> std::same_as<double>;
  { L::margin_is_divided } -> std::convertible_to<bool>;
};

/// A learner with a spread whose margin depends on the spread.
template <class L>
concept HasDividedMargin = HasSpread<L> && requires { requires L::margin_is_divided; };

/// A learner that works in another space than that of the features (kernels). `squared_norm` is the squared
/// norm of x in that space, for rules that use norms. Where the norm is 0, the margin is 0 as well.
template <class L>
concept HasNorm = Learner<L> && requires(const L& learner, const FeatureView& x) {
  { learner.squared_norm(x) } -> std::same_as<double>;
};

/// A learner that also learns from instances without their labels, e.g. the scales of features. `see` is
/// called once per round, before the margin of the instance is computed. It writes to `seen` the instance as
/// the learner sees it, which replaces x until the learner changes: so x is scaled once per round. It throws
/// NumericFailure for numbers that are too large; then nothing has changed. (A spread is computed from `seen`
/// as well.)
template <class L>
concept SeesInstances = Learner<L> && requires(const L& learner, L& changing, const FeatureView& x,
                                               typename L::Seen& seen, Label y, double margin) {
  { changing.see(x, seen) } -> std::same_as<void>;
  { learner.margin(std::as_const(seen)) } -> std::same_as<double>;
  { changing.update(std::as_const(seen), y, margin) } -> std::same_as<void>;
};

/// A learner whose margin is a sum of shares of the features (and of an offset), although not of weights
/// times values. `for_each_share(x, f)` calls f(feature, share).
template <class L>
concept HasShares = Learner<L> && requires(const L& learner, const FeatureView& x) {
  learner.for_each_share(x, [](FeatureView::Index, double) {});
};

/// A learner with one weight per feature: the margin, before any division by 1 + r, is the sum of weights[i]
/// x_i, plus the offset. Features beyond the end have weight 0. `weights()` is a copy for reading.
/// `weights()` returns nothing for parameters with which the margin is not such a sum.
template <class L>
concept HasWeights = Learner<L> && requires(const L& learner) {
  { learner.weights() } -> std::convertible_to<std::optional<std::vector<double>>>;
};

/// A learner whose margin of the zero vector may differ from 0: `offset()` is that margin.
template <class L>
concept HasOffset = Learner<L> && requires(const L& learner) {
  { learner.offset() } -> std::same_as<double>;
};

/// A learner whose margin is w.x, whose updates change only the weights of the instance's features, and whose
/// weights can be replaced: the final classifier of a run needs this. `set_weights` takes at most as many
/// weights as `weights()` has; all further weights become 0.
template <class L>
concept HasLocalWeights = HasWeights<L> && requires(L& changing, std::span<const double> weights) {
  { changing.set_weights(weights) } -> std::same_as<void>;
};

/// A learner whose weights are never negative (winnow): theorems compare it only with vectors that are never
/// negative.
template <class L>
concept HasNonnegativeWeights = HasWeights<L> && requires { requires L::weights_are_nonnegative; };

/// A learner that is a template of its weights and needs only w.x from them. `With<W>` is the same learner
/// with weights of type W, which the constructor takes as a third argument. Tasks with such a learner can
/// keep their weights side by side.
template <class L>
concept SharesWeights = Learner<L> && Learner<typename L::template With<std::vector<double>>>;

/// A learner that is a template of its scaler. `WithScaling<S>` is the same learner with the scaler S, which
/// the constructor takes as a third argument. Tasks with such a learner can scale each instance once for all.
template <class L>
concept SharesScaling = SeesInstances<L> && requires { requires L::shares_scaling; };

/// A learner that keeps its weights among those of other tasks, and whose margin is w.x and no more. If the
/// instance was prepared for all of these tasks, its margin is the entry `margin_place()` of
/// SharedMargins::margins().
template <class L>
concept HasSharedMargin = Learner<L> && requires(const L& learner) {
  { learner.margin_place() } -> std::same_as<std::size_t>;
};

/// A learner that is faster if it knows the next instances (kernels, evaluated in blocks). `upcoming` changes
/// no result, only the speed. The views are valid until the next call.
template <class L>
concept ReadsAhead = Learner<L> && requires(L& changing, std::span<const FeatureView> upcoming) {
  { changing.read_ahead(upcoming) } -> std::same_as<void>;
};

// ---- What every rule has.

/// A rule gives the probability with which a label is asked: a pure function with values in [0, 1] that never
/// rises with |margin| and never falls with the spread (the sampler computes spreads lazily and relies on
/// this).
template <class R>
concept Rule = requires(const R& rule, const Score& score, const Tally& tally) {
  { R::needs_spread } -> std::convertible_to<bool>;
  { rule.ask_probability(score, tally) } -> std::same_as<double>;
};

/// A rule of the catalog: it describes itself and can be made from parameters.
template <class R>
concept NamedRule = Rule<R> && requires(const typename R::Params& params, const Setting& setting) {
  { R::info } -> std::convertible_to<RuleInfo>;
  R(params, setting);
};

// ---- What rules may offer.

/// A rule that learns from asked labels. `query`: the query as it was when the label was asked, with the
/// probability used then, however late the label comes. `mistake`: the label differed from the prediction.
/// `updated`: the learner was updated.
template <class R>
concept Observes = Rule<R> && requires(R& changing, const Query& query, bool mistake, bool updated) {
  { changing.observe(query, mistake, updated) } -> std::same_as<void>;
};

/// A rule that uses a query's margin, spread or probability in `observe` if `observes_score()`. The rounds
/// that such a rule asks are computed exactly, never decided by bounds.
template <class R>
concept ObservesScore = Observes<R> && requires(const R& rule) {
  { rule.observes_score() } -> std::same_as<bool>;
};

/// A rule with a scale: the larger the scale, the more the rule asks. A budget steers the scale.
template <class R>
concept HasScale = Rule<R> && requires(const R& rule, R& changing, double scale) {
  { rule.scale() } -> std::same_as<double>;
  { changing.set_scale(scale) } -> std::same_as<void>;
};

/// A rule that uses the spread of a learner that has one, if `uses_spread()`, and works without a spread too.
template <class R>
concept UsesSpread = Rule<R> && requires(const R& rule) {
  { rule.uses_spread() } -> std::same_as<bool>;
};

/// A rule that asks an instance for sure from some scale on, and never below. `critical_scale(rank, tally)`
/// is this scale for the instances of that rank; nothing if all scales give the same decision, or if the
/// decision depends on another round. The rank depends on the score alone, and the critical scale never falls
/// with the rank.
template <class R>
concept RanksScores = HasScale<R> && requires(const R& rule, const Score& score, const Tally& tally) {
  { rule.rank(score) } -> std::same_as<double>;
  { rule.critical_scale(rule.rank(score), tally) } -> std::same_as<std::optional<double>>;
};

/// A rule whose decision about one round depends on another round. `steady_probability` is how often labels
/// are asked if all scores are like this score; a budget uses it on a sample of scores.
template <class R>
concept HasSteadyProbability = Rule<R> && requires(const R& rule, const Score& score, const Tally& tally) {
  { rule.steady_probability(score, tally) } -> std::same_as<double>;
};

/// A rule that decides in this round about the next round (SSNL). The function is called once per round,
/// after the decision, with the exact margin if `looks_ahead`.
template <class R>
concept LooksAhead = Rule<R> && requires(const R& rule, R& changing, const Score& score, const Tally& tally) {
  { rule.looks_ahead() } -> std::same_as<bool>;
  { changing.look_ahead(score, tally) } -> std::same_as<void>;
};

/// A rule that asks for no label of a large margin. Until a label is learned, and in rounds up to
/// `last_round`, the probability is 0 if |margin| > silent_above(tally, last_round) |x|, as long as both the
/// margin and the norm are finite and above `smallest_silent`; infinity if there is no such bound.
template <class R>
concept StaysSilent = Rule<R> && requires(const R& rule, const Tally& tally, std::uint64_t last_round) {
  { rule.silent_above(tally, last_round) } -> std::same_as<double>;
};
inline constexpr double smallest_silent = 1e-100;

/// A rule that asks with probability b/(b + |m|), with the same b in every round, and that observes nothing:
/// b is the margin at which every second label is asked.
template <class R>
concept HasHalfMargin = Rule<R> && !Observes<R> && requires(const R& rule) {
  { rule.half_margin() } -> std::same_as<double>;
};

// ---- What follows.

/// The update policies that make sense for a learner.
template <Learner L>
constexpr bool accepts(UpdatePolicy policy) {
  switch (policy) {
    case UpdatePolicy::asked:
      return !UpdatesOnMistakesOnly<L>;
    case UpdatePolicy::margin:
      return HasLoss<L>;
    case UpdatePolicy::mistake:
      break;
  }
  return true;
}

/// The legal pairs: a rule that needs the spread cannot run on a learner without a spread.
template <class L, class R>
concept Pairable = Learner<L> && Rule<R> && (!R::needs_spread || HasSpread<L>);

/// An offer by name, for code that reads the catalog at run time.
struct Offer {
  std::string_view name;
  bool made = false;
};

template <Learner L>
constexpr auto learner_offers() {
  return std::array{Offer{"state", HasState<L>},
                    Offer{"consistency", ChecksState<L>},
                    Offer{"dimension", NeedsDimension<L> || GainsFromDimension<L>},
                    Offer{"loss", HasLoss<L>},
                    Offer{"mistakes-only", UpdatesOnMistakesOnly<L>},
                    Offer{"first-label", NeedsFirstLabel<L>},
                    Offer{"spread", HasSpread<L>},
                    Offer{"divided-margin", HasDividedMargin<L>},
                    Offer{"norm", HasNorm<L>},
                    Offer{"instances", SeesInstances<L>},
                    Offer{"shares", HasShares<L>},
                    Offer{"weights", HasWeights<L>},
                    Offer{"offset", HasOffset<L>},
                    Offer{"local-weights", HasLocalWeights<L>},
                    Offer{"nonnegative-weights", HasNonnegativeWeights<L>},
                    Offer{"shared-weights", SharesWeights<L>},
                    Offer{"shared-scaling", SharesScaling<L>},
                    Offer{"read-ahead", ReadsAhead<L>}};
}

template <NamedRule R>
constexpr auto rule_offers() {
  return std::array{Offer{"state", HasState<R>},
                    Offer{"dimension", NeedsDimension<R>},
                    Offer{"observe", Observes<R>},
                    Offer{"observe-score", ObservesScore<R>},
                    Offer{"uses-spread", UsesSpread<R>},
                    Offer{"scale", HasScale<R>},
                    Offer{"critical-scale", RanksScores<R>},
                    Offer{"steady-probability", HasSteadyProbability<R>},
                    Offer{"look-ahead", LooksAhead<R>},
                    Offer{"silence", StaysSilent<R>},
                    Offer{"half-margin", HasHalfMargin<R>}};
}

}  // namespace askfew

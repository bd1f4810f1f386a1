#pragma once

// What a learner and a rule must have, and everything that they may offer besides. Each offer is a concept
// with its sentence in this file. Whoever depends on an offer (the sampler, the catalog, `askfew list`, the
// conformance and golden tests, the pages about the algorithms, the final classifier) asks its concept.

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
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
  std::shared_ptr<MemoryLimit> memory{};  ///< shared by all tasks; none: no limit
};

/// What people read about an algorithm; each has one as `static constexpr info`.
struct LearnerInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  UpdatePolicy policy = UpdatePolicy::mistake;  ///< unless the user says otherwise
  bool unit_norm = false;                       ///< REQUIRES instances of norm 1 (or 0)
  std::string_view test_params{};  ///< parameters that tests run it with, sets of them separated by spaces;
                                   ///< empty: the defaults
};
struct RuleInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  std::string_view scale{};        ///< the parameter by which it asks for more, the larger it is; empty: none
  std::string_view test_params{};  ///< as for a learner
};

// ---- What every learner has.

/// A learner has a pure margin and learns from (x, y). `update` is handed the learner's present margin on x,
/// which the sampler has computed already.
template <class L>
concept Learner = requires(const L& learner, L& changing, const FeatureView& x, Label y, double margin,
                           const typename L::Params& params, const Setting& setting) {
  { L::info } -> std::convertible_to<LearnerInfo>;
  L(params, setting);
  { learner.margin(x) } -> std::same_as<double>;
  { changing.update(x, y, margin) } -> std::same_as<void>;
};

// ---- What learners and rules may offer.

/// A learner or rule that remembers something. `state` lists all of it, once for saving and loading.
template <class A>
concept HasState = requires(const A& algorithm, SnapshotWriter& visit) { A::state(algorithm, visit); };

/// A learner whose parts could contradict each other after loading. A model for which `consistent()` is false
/// is refused.
template <class L>
concept ChecksState = requires(const L& learner) {
  { learner.consistent() } -> std::same_as<bool>;
};

/// A learner or rule that, with some parameters, must know the number of features before the first round.
template <class A>
concept NeedsDimension = requires(const typename A::Params& params) {
  { A::needs_dimension(params) } -> std::same_as<bool>;
};

/// A learner that, with some parameters, is better for knowing that there are `dimension` features.
template <class A>
concept GainsFromDimension = requires(const typename A::Params& params, FeatureView::Index dimension) {
  { A::gains_from_dimension(params, dimension) } -> std::same_as<bool>;
};

// ---- What learners may offer.

/// A learner with a loss of its own, for UpdatePolicy::margin: is the loss of margin m at label y positive?
template <class L>
concept HasLoss = Learner<L> && requires(const L& learner, Label y, double margin) {
  { learner.suffers(y, margin) } -> std::same_as<bool>;
};

/// A learner whose update is right after a mistake only: UpdatePolicy::asked makes no sense for it.
template <class L>
concept UpdatesOnMistakesOnly = Learner<L> && requires { requires L::updates_on_mistakes_only; };

/// A learner that must see one label before it has a hypothesis (reflect): until `started()` every label is
/// asked, `start` takes the place of `update`, and no rule observes it.
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

/// A learner whose space is not that of the features (kernels): the squared norm of x there, for rules that
/// look at norms. Where the norm is 0, so is the margin.
template <class L>
concept HasNorm = Learner<L> && requires(const L& learner, const FeatureView& x) {
  { learner.squared_norm(x) } -> std::same_as<double>;
};

/// A learner with one weight a feature: the margin, before any division by 1 + r, is the sum of weights[i]
/// x_i and the offset. Features beyond the end have weight 0. `weights()` is a copy, for people and programs
/// to read; it may be nothing with some parameters, for which the margin is no such sum.
template <class L>
concept HasWeights = Learner<L> && requires(const L& learner) {
  { learner.weights() } -> std::convertible_to<std::optional<std::vector<double>>>;
};

/// A learner whose margin of the zero vector need not be 0: `offset()` is that margin.
template <class L>
concept HasOffset = Learner<L> && requires(const L& learner) {
  { learner.offset() } -> std::same_as<double>;
};

/// A learner whose margin is w.x, whose updates change the weights of their instance's features and no other
/// ones, and whose weights can be replaced: what the final classifier of a run rests on. `set_weights` takes
/// at most as many weights as `weights()` has; the others become 0.
template <class L>
concept HasLocalWeights = HasWeights<L> && requires(L& changing, std::span<const double> weights) {
  { changing.set_weights(weights) } -> std::same_as<void>;
};

/// A learner whose weights are never negative (winnow): theorems compare it with such vectors only.
template <class L>
concept HasNonnegativeWeights = HasWeights<L> && requires { requires L::weights_are_nonnegative; };

/// A learner that is a template of its weights, of which w.x is all that it needs: `With<W>` is the same
/// learner with weights of another type, which its constructor takes as a third argument. Tasks of it can
/// keep their weights side by side.
template <class L>
concept SharesWeights = Learner<L> && Learner<typename L::template With<std::vector<double>>>;

/// A learner that gains from knowing the instances to come (kernels, evaluated in blocks). What it does with
/// `upcoming` changes no result, only the speed. The views are valid until the next call.
template <class L>
concept ReadsAhead = Learner<L> && requires(L& changing, std::span<const FeatureView> upcoming) {
  { changing.read_ahead(upcoming) } -> std::same_as<void>;
};

// ---- What every rule has.

/// A rule says with which probability a label is worth asking: a pure function, in [0, 1], never rising with
/// |margin| and never falling with the spread (the sampler's lazy spread rests on that).
template <class R>
concept Rule = requires(const R& rule, const Score& score, const Tally& tally) {
  { R::needs_spread } -> std::convertible_to<bool>;
  { rule.ask_probability(score, tally) } -> std::same_as<double>;
};

/// A rule of the catalog, which can say what it is and be made from parameters.
template <class R>
concept NamedRule = Rule<R> && requires(const typename R::Params& params, const Setting& setting) {
  { R::info } -> std::convertible_to<RuleInfo>;
  R(params, setting);
};

// ---- What rules may offer.

/// A rule that learns from asked labels. `query`: as it was when the label was asked, with the probability
/// that was used then, however late the label comes; `mistake`: the label differed from the prediction;
/// `updated`: the learner was updated.
template <class R>
concept Observes = Rule<R> && requires(R& changing, const Query& query, bool mistake, bool updated) {
  { changing.observe(query, mistake, updated) } -> std::same_as<void>;
};

/// A rule that observes a query's margin, spread or probability, if `observes_score()`. Rounds that it asks
/// are then computed exactly, never decided by bounds.
template <class R>
concept ObservesScore = Observes<R> && requires(const R& rule) {
  { rule.observes_score() } -> std::same_as<bool>;
};

/// A rule with a scale, by which it asks for more, the larger it is: what a budget steers.
template <class R>
concept HasScale = Rule<R> && requires(const R& rule, R& changing, double scale) {
  { rule.scale() } -> std::same_as<double>;
  { changing.set_scale(scale) } -> std::same_as<void>;
};

/// A rule whose decision about one round rests on another one: `steady_probability` is how often labels are
/// asked where scores are like this one, for a budget that looks at a sample of scores.
template <class R>
concept HasSteadyProbability = Rule<R> && requires(const R& rule, const Score& score, const Tally& tally) {
  { rule.steady_probability(score, tally) } -> std::same_as<double>;
};

/// A rule that decides in this round about the next one (SSNL): called once a round, after the decision, with
/// the exact margin if `looks_ahead`.
template <class R>
concept LooksAhead = Rule<R> && requires(const R& rule, R& changing, const Score& score, const Tally& tally) {
  { rule.looks_ahead() } -> std::same_as<bool>;
  { changing.look_ahead(score, tally) } -> std::same_as<void>;
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

/// The legal pairs: a rule that needs the spread cannot be run on a learner that has none.
template <class L, class R>
concept Pairable = Learner<L> && Rule<R> && (!R::needs_spread || HasSpread<L>);

/// An offer by its name, for those who read the catalog at run time.
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
                    Offer{"norm", HasNorm<L>},
                    Offer{"weights", HasWeights<L>},
                    Offer{"offset", HasOffset<L>},
                    Offer{"local-weights", HasLocalWeights<L>},
                    Offer{"nonnegative-weights", HasNonnegativeWeights<L>},
                    Offer{"shared-weights", SharesWeights<L>},
                    Offer{"read-ahead", ReadsAhead<L>}};
}

template <NamedRule R>
constexpr auto rule_offers() {
  return std::array{Offer{"state", HasState<R>},       Offer{"dimension", NeedsDimension<R>},
                    Offer{"observe", Observes<R>},     Offer{"observe-score", ObservesScore<R>},
                    Offer{"scale", HasScale<R>},       Offer{"steady-probability", HasSteadyProbability<R>},
                    Offer{"look-ahead", LooksAhead<R>}};
}

}  // namespace askfew

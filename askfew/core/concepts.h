#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "askfew/core/coin.h"
#include "askfew/core/features.h"
#include "askfew/core/label.h"
#include "askfew/core/policy.h"
#include "askfew/core/query.h"
#include "askfew/core/score.h"
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
  bool mistakes_only = false;  ///< its update presumes a mistake: policy `mistake` alone makes sense
};
struct RuleInfo {
  std::string_view name;
  std::string_view formula;
  std::string_view paper;
  std::string_view scale{};  ///< the parameter by which it asks for more, the larger it is; empty: none
};

/// A learner has a pure margin and learns from (x, y). `update` is handed the learner's present margin on x,
/// which the sampler has computed already. Everything it must remember it lists once, in `state`.
template <class L>
concept Learner = requires(const L& learner, L& changing, const FeatureView& x, Label y, double margin,
                           const typename L::Params& params, const Setting& setting) {
  { L::info } -> std::convertible_to<LearnerInfo>;
  L(params, setting);
  { learner.margin(x) } -> std::same_as<double>;
  { changing.update(x, y, margin) } -> std::same_as<void>;
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
/// look at norms.
template <class L>
concept HasNorm = Learner<L> && requires(const L& learner, const FeatureView& x) {
  { learner.squared_norm(x) } -> std::same_as<double>;
};

/// A learner that gains from knowing the instances to come (kernels, evaluated in blocks). What it does with
/// `upcoming` changes no result, only the speed. The views are valid until the next call.
template <class L>
concept ReadsAhead = Learner<L> && requires(L& changing, std::span<const FeatureView> upcoming) {
  { changing.read_ahead(upcoming) } -> std::same_as<void>;
};

/// A learner whose memory grows with what it learns: at most how many bytes of its limit it takes to learn x.
template <class L>
concept Grows = Learner<L> && requires(const L& learner, const FeatureView& x) {
  { learner.growth(x) } -> std::same_as<std::size_t>;
};

/// A learner that must see one label before it has a hypothesis (reflect): until `started()` every label is
/// asked, `start` takes the place of `update`, and no rule observes it.
template <class L>
concept NeedsFirstLabel =
    Learner<L> && requires(const L& learner, L& changing, const FeatureView& x, Label y) {
      { learner.started() } -> std::same_as<bool>;
      { changing.start(x, y) } -> std::same_as<void>;
    };

/// A learner with a loss of its own, for UpdatePolicy::margin: is the loss of margin m at label y positive?
template <class L>
concept HasLoss = Learner<L> && requires(const L& learner, Label y, double margin) {
  { learner.suffers(y, margin) } -> std::same_as<bool>;
};

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

/// A rule that learns from asked rounds. `mistake`: the label differed from the prediction; `updated`: the
/// learner was updated.
template <class R>
concept Observes = Rule<R> && requires(R& changing, const Score& score, bool mistake, bool updated) {
  { changing.observe(score, mistake, updated) } -> std::same_as<void>;
};

/// A rule with a scale, by which it asks for more, the larger it is: what a budget steers.
template <class R>
concept Scaled = Rule<R> && requires(const R& rule, R& changing, double scale) {
  { rule.scale() } -> std::same_as<double>;
  { changing.set_scale(scale) } -> std::same_as<void>;
};

/// A rule that decides in this round about the next one (SSNL): called once a round, after the decision, with
/// the exact margin if `looks_ahead`.
template <class R>
concept LooksAhead = Rule<R> && requires(const R& rule, R& changing, const Score& score, const Tally& tally) {
  { rule.looks_ahead() } -> std::same_as<bool>;
  { changing.look_ahead(score, tally) } -> std::same_as<void>;
};

/// The update policies that make sense for a learner.
template <Learner L>
constexpr bool accepts(UpdatePolicy policy) {
  switch (policy) {
    case UpdatePolicy::asked:
      return !L::info.mistakes_only;
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

}  // namespace askfew

#include "askfew/trials/theorems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <functional>
#include <string_view>

#include "askfew/catalog/table.h"
#include "askfew/math/elementary.h"
#include "askfew/theory/bounds.h"
#include "askfew/trials/statistics.h"

namespace askfew {
namespace {

/// The facts for a theorem, for any sampler.
struct Facts {
  const SamplerConfig& config;
  const StreamShape& stream;
  const ObservedRuns& runs;
  const ComparatorOnStream& u;

  [[nodiscard]] std::size_t features() const { return static_cast<std::size_t>(stream.dimension); }
};

/// The facts for a theorem about learner L with rule R.
template <class L, class R>
struct Case : Facts {
  typename L::Params learner;
  typename R::Params rule;
};

TheoremRow refused(std::string why) {
  TheoremRow row;
  row.why_not = std::move(why);
  return row;
}

/// A bound as a function of u's length and of the curve with u's loss.
using BoundAt = std::function<double(const HingeCurve& curve, double length)>;

/// The smallest bound over all lengths of u, which represent gamma: with u/gamma, gamma is 1.
TheoremRow smallest(const HingeCurve& curve, const BoundAt& bound) {
  const HingeCurve::Best best = curve.minimize([&](double length) { return bound(curve, length); });
  TheoremRow row;
  row.bound = best.value;
  row.gamma = 1 / best.length;
  return row;
}

/// For a theorem with the loss on all rounds.
TheoremRow over_rounds(const Facts& c, const BoundAt& bound) {
  return smallest(c.u.rounds, bound);
}

/// For a theorem with the expected loss on the updates.
TheoremRow over_updates(const Facts& c, const BoundAt& bound) {
  TheoremRow row = smallest(c.u.updates, bound);
  row.over_all_rounds = smallest(c.u.rounds, bound).bound;
  return row;
}

/// A bound of a Comparator as a bound of length and curve.
template <class Bound>
BoundAt first_order(const Facts& c, const Bound& bound) {
  return [&c, bound](const HingeCurve& curve, double length) {
    return bound(Comparator{
        .norm = c.u.norm * length, .gamma = 1, .loss = curve.loss(length), .longest = c.stream.longest});
  };
}

// The conditions of theorems on sampler and stream; an empty text if the condition holds.

std::string needs_unit_norm(const Facts& c) {
  constexpr double tolerance = 1e-6;
  if (c.stream.longest <= 1 + tolerance && c.stream.shortest >= 1 - tolerance) return "";
  return fmt::format("needs |x| = 1, but |x| is {:.4g} to {:.4g}: normalize the instances", c.stream.shortest,
                     c.stream.longest);
}

std::string needs_separation(const Facts& c) {
  if (c.u.rounds.least() > 0) return "";
  return fmt::format(
      "needs a u that is right about every round, this one is wrong about {}: a larger C of the SVM may find "
      "one",
      c.u.wrong);
}

template <class L, class R>
std::string needs_learner(const Case<L, R>& c, double L::Params::*param, double value) {
  if (c.learner.*param == value) return "";
  std::string_view name;
  for (const auto& row : L::Params::table()) {
    if (row.field == param) name = row.name;
  }
  return fmt::format("needs {} with {} = {}", L::info.name, name, value);
}

/// u, scaled to a margin of exactly 1. REQUIRES: u separates the stream.
Comparator separator(const Facts& c) {
  return {.norm = c.u.norm / c.u.rounds.least(), .gamma = 1, .loss = 0, .longest = c.stream.longest};
}

/// A bound that holds if u separates the stream.
TheoremRow separated(const Facts& c, const std::function<double(const Comparator&)>& bound) {
  if (std::string why = needs_separation(c); !why.empty()) return refused(std::move(why));
  TheoremRow row;
  row.bound = bound(separator(c));
  row.gamma = c.u.rounds.least();
  return row;
}

TheoremRow theorem_1_2006(const Case<Perceptron, Margin>& c) {
  if (std::string why = needs_learner(c, &Perceptron::Params::rate, 1); !why.empty())
    return refused(std::move(why));
  return over_updates(
      c, first_order(c, [&](const Comparator& u) { return selective_perceptron_bound(u, c.rule.b); }));
}

TheoremRow theorem_2_2006(const Case<Perceptron, Adaptive>& c) {
  if (std::string why = needs_learner(c, &Perceptron::Params::rate, 1); !why.empty())
    return refused(std::move(why));
  return over_updates(
      c, first_order(c, [&](const Comparator& u) { return adaptive_perceptron_bound(u, c.rule.beta); }));
}

/// u/gamma and the matrix of the updates; `a` is the initial value of the matrix.
template <class Bound>
BoundAt second_order(const Facts& c, double a, double information, const Bound& bound) {
  const double size = a * c.u.norm * c.u.norm + c.u.updates.squares();
  return [=](const HingeCurve& curve, double length) {
    return bound(SecondOrderComparator{
        .gamma = 1, .loss = curve.loss(length), .size = length * length * size, .information = information});
  };
}

TheoremRow theorem_3_2006(const Case<SecondOrder, Margin>& c) {
  if (std::string why = needs_learner(c, &SecondOrder::Params::a, 1); !why.empty())
    return refused(std::move(why));
  return over_updates(c, second_order(c, 1, c.runs.log_determinant, [&](const SecondOrderComparator& u) {
                        return selective_second_order_bound(u, c.rule.b);
                      }));
}

TheoremRow inequality_13_2006(const Case<SecondOrder, Always>& c) {
  if (std::string why = needs_learner(c, &SecondOrder::Params::a, 1); !why.empty())
    return refused(std::move(why));
  return over_updates(c, second_order(c, 1, c.runs.log_determinant, second_order_bound));
}

/// Winnow's eta and b fit the theorem for one alpha and one gamma: b = alpha gamma, eta = 2 (1-alpha)
/// gamma/X^2. `dimension`: of the simplex.
template <class L>
TheoremRow winnow(const Case<L, Margin>& c, std::size_t dimension) {
  const double x = c.stream.largest_component;
  if (c.u.sum == 0 || x == 0)
    return refused("needs a comparator with a positive weight, and an x that is not 0");
  const double gamma = c.rule.b + c.learner.eta * x * x / 2;
  const auto bound = [&](const HingeCurve& curve) {
    const double loss = gamma * curve.loss(1 / (gamma * c.u.sum));  // loss of u/sum, which is in the simplex
    return selective_winnow_bound({.gamma = gamma, .loss = loss, .longest = x}, c.rule.b / gamma, dimension);
  };
  TheoremRow row;
  row.bound = bound(c.u.updates);
  row.over_all_rounds = bound(c.u.rounds);
  row.gamma = gamma * c.u.sum;
  return row;
}
TheoremRow theorem_4_2006(const Case<Winnow, Margin>& c) {
  return winnow(c, c.features());
}
TheoremRow theorem_4_2006_balanced(const Case<WinnowBalanced, Margin>& c) {
  return winnow(c, 2 * c.features());
}

TheoremRow theorem_1_2008(const Case<Rls, Always>& /*c*/) {
  return refused("needs to know P(y = 1 | x), which must be (1 + u.x)/2 with |u| = 1, and how noisy it is");
}
TheoremRow theorem_2_2008(const Case<Rls, LogThreshold>& /*c*/) {
  return refused("is stated up to a constant, and needs to know P(y = 1 | x)");
}

TheoremRow theorem_2_2014(const Case<Lasec, Always>& c) {
  return over_updates(c, second_order(c, c.learner.b, c.runs.information, second_order_bound));
}
TheoremRow theorem_4_2014(const Case<Lasec, Margin>& c) {
  return over_updates(c,
                      second_order(c, c.learner.b, c.runs.information, [&](const SecondOrderComparator& u) {
                        return selective_second_order_bound(u, c.rule.b);
                      }));
}
template <class R>
TheoremRow corollary_2014(const Case<Lasec, R>& /*c*/) {
  return refused("needs c tuned to the drift of the comparator, and one u for all rounds has none");
}

TheoremRow slides_perceptron(const Case<Perceptron, Always>& c) {
  if (std::string why = needs_unit_norm(c); !why.empty()) return refused(std::move(why));
  return over_rounds(c, first_order(c, perceptron_bound));
}
TheoremRow slides_hildreth(const Case<PassiveAggressive<Hildreth>, Always>& c) {
  return separated(c, hildreth_bound);
}
TheoremRow romma_2002(const Case<Romma, Always>& c) {
  return separated(c, hildreth_bound);  // the same for both
}
TheoremRow slides_pa_one(const Case<PassiveAggressive<PaOne>, Always>& c) {
  if (std::string why = needs_unit_norm(c); !why.empty()) return refused(std::move(why));
  return over_rounds(c, first_order(c, [&](const Comparator& u) { return pa_one_bound(u, c.learner.C); }));
}

TheoremRow slides_ellipsoid(const Case<Ellipsoid, Always>& c) {
  return separated(c, [&](const Comparator& u) { return ellipsoid_bound(u, c.features()); });
}
/// The other two start again when they have made more cuts than their parameter U allows.
template <class L>
std::string needs_room(const Case<L, Always>& c) {
  if (std::string why = needs_separation(c); !why.empty()) return why;
  const double least = separator(c).norm * c.stream.longest;
  if (c.learner.U >= least) return "";
  return fmt::format("needs {} with U of at least |u| max|x| = {:.4g}", L::info.name, least);
}
TheoremRow slides_volumetric(const Case<VolumetricCenter, Always>& c) {
  if (std::string why = needs_room(c); !why.empty()) return refused(std::move(why));
  return separated(c, [&](const Comparator& u) { return volumetric_center_bound(u, c.features()); });
}
TheoremRow slides_gravity(const Case<GravityCenter, Always>& c) {
  if (std::string why = needs_room(c); !why.empty()) return refused(std::move(why));
  const double error = 1 / std::sqrt(c.learner.samples);
  if (error >= math::exp(-1.0)) return refused("needs gravity-center with samples of at least 8");
  return separated(c, [&](const Comparator& u) { return gravity_center_bound(u, c.features(), error); });
}

struct Theorem {
  std::string_view name;
  std::string_view promise;
  std::string_view learner;
  std::string_view rule;
  TheoremRow (*apply)(const Facts&);
};

template <class L, class R, TheoremRow (*apply)(const Case<L, R>&)>
constexpr Theorem about(std::string_view name, std::string_view promise) {
  return {name, promise, L::info.name, R::info.name, [](const Facts& facts) {
            return apply({facts, params_of<typename L::Params>(facts.config.learner),
                          params_of<typename R::Params>(facts.config.rule)});
          }};
}

constexpr std::array theorems{
    about<Perceptron, Margin, theorem_1_2006>("2006, Theorem 1", "E[mistakes]"),
    about<Perceptron, Adaptive, theorem_2_2006>("2006, Theorem 2", "E[mistakes]"),
    about<SecondOrder, Margin, theorem_3_2006>("2006, Theorem 3", "E[mistakes]"),
    about<SecondOrder, Always, inequality_13_2006>("2006, (13)", "mistakes"),
    about<Winnow, Margin, theorem_4_2006>("2006, Theorem 4", "E[mistakes]"),
    about<WinnowBalanced, Margin, theorem_4_2006_balanced>("2006, Theorem 4", "E[mistakes]"),
    about<Rls, Always, theorem_1_2008>("2008, Theorem 1", "E[regret]"),
    about<Rls, LogThreshold, theorem_2_2008>("2008, Theorem 2", "E[regret], labels"),
    about<Lasec, Always, theorem_2_2014>("2014, Theorem 2", "mistakes"),
    about<Lasec, Always, corollary_2014>("2014, Corollary 8", "mistakes"),
    about<Lasec, Margin, theorem_4_2014>("2014, Theorem 4", "E[mistakes]"),
    about<Lasec, Margin, corollary_2014>("2014, Corollary 9", "E[mistakes]"),
    about<Perceptron, Always, slides_perceptron>("slides, Perceptron", "mistakes"),
    about<PassiveAggressive<Hildreth>, Always, slides_hildreth>("slides, Hildreth", "mistakes"),
    about<PassiveAggressive<PaOne>, Always, slides_pa_one>("slides, PA-I", "mistakes"),
    about<Romma, Always, romma_2002>("2002, ROMMA", "mistakes"),
    about<Ellipsoid, Always, slides_ellipsoid>("slides, ellipsoid", "mistakes"),
    about<VolumetricCenter, Always, slides_volumetric>("slides, volumetric", "mistakes"),
    about<GravityCenter, Always, slides_gravity>("slides, gravity", "E[mistakes]"),
};

}  // namespace

std::vector<double> admissible(const SamplerConfig& config, std::vector<double> u) {
  const std::vector<LearnerEntry>& learners = learner_entries();
  if (!offers(entry_named(learners, config.learner.name, "learner"), "nonnegative-weights")) return u;
  for (double& weight : u) weight = std::max(0.0, weight);
  return u;
}

std::vector<TheoremRow> theorems_on(const SamplerConfig& config, const StreamShape& stream,
                                    const ObservedRuns& runs, const ComparatorOnStream& u) {
  const UpdatePolicy policy = standard_policy(config.learner);
  std::vector<TheoremRow> rows;
  for (const Theorem& theorem : theorems) {
    if (theorem.learner != config.learner.name || theorem.rule != config.rule.name) continue;
    TheoremRow row = config.update == policy
                         ? theorem.apply({config, stream, runs, u})
                         : refused(fmt::format("needs the update policy {}", text_of(policy)));
    row.theorem = theorem.name;
    row.promise = theorem.promise;
    rows.push_back(std::move(row));
  }
  return rows;
}

void set_standard_errors(const SamplerConfig& config, const StreamShape& stream, const ObservedRuns& runs,
                         std::span<const double> u, const LabelledRows& rows,
                         std::vector<TheoremRow>& results) {
  const std::size_t all = runs.mistakes.size();
  const std::size_t groups = std::min<std::size_t>(all, 20);
  if (groups < 2) return;
  std::vector<std::vector<double>> bounds(results.size());  // without each of the groups
  for (std::size_t group = 0; group < groups; ++group) {
    const ObservedRuns rest = without(runs, group * all / groups, (group + 1) * all / groups);
    const auto found = theorems_on(config, stream, rest, ComparatorOnStream(u, rows, rest));
    for (std::size_t k = 0; k < results.size(); ++k) bounds[k].push_back(found[k].bound);
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].over_all_rounds) {
      results[k].standard_error = static_cast<double>(groups - 1) * sample_of(bounds[k]).standard_error;
    }
  }
}

}  // namespace askfew

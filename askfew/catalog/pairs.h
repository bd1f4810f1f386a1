#pragma once

// Compiles the pairs of learners and rules. Each group of learners is compiled in its own pairs_*.cc.

#include <fmt/core.h>

#include "askfew/catalog/any_rule.h"
#include "askfew/catalog/catalog.h"
#include "askfew/catalog/table.h"

namespace askfew {

// Every legal pair of learner and rule can be made. Each group of learners is compiled in its own file, so
// that the files compile in parallel. Each function returns null if the configuration's learner is in another
// group.
using MakeSampler = std::unique_ptr<AnySampler>(const SamplerConfig&, const Setting&, Exactness);
MakeSampler make_first_order;
MakeSampler make_second_order;
MakeSampler make_kernel;
MakeSampler make_cutting_plane;

[[noreturn]] void throw_unacceptable_policy(const SamplerConfig& config);

template <class... Ts, class F>
void for_each_type(TypeList<Ts...> /*types*/, F&& f) {
  (f.template operator()<Ts>(), ...);
}

/// The rule type that a learner is compiled with: one of two types that stand for all rules.
template <NamedRule R>
struct Together {
  using type = typename AnyRuleThat<R::needs_spread, TypeList<>, Rules>::type;
};
/// Or each rule separately, if a round takes little more time than a rule.
template <NamedRule R>
struct Alone {
  using type = R;
};

/// A learner or rule with the parameters of a spec; not inlined, so that it is compiled once, not once per
/// pair.
template <class Part, class... Weights>
[[gnu::noinline]] Part make_part(const AlgorithmSpec& spec, const Setting& setting, Weights... weights) {
  return Part(params_of<typename Part::Params>(spec), setting, std::move(weights)...);
}

/// `weights`: the place for the learner's weights, if not a vector.
template <class L, NamedRule R, template <class> class Compiled, class... Weights>
std::unique_ptr<AnySampler> make_pair(const SamplerConfig& config, const Setting& setting,
                                      Exactness exactness, Weights... weights) {
  using Used = typename Compiled<R>::type;
  if constexpr (Pairable<L, Used>) {
    if (!accepts<L>(config.update)) throw_unacceptable_policy(config);
    return std::make_unique<ErasedSampler<L, Used>>([&] {
      return Sampler<L, Used>(make_part<L>(config.learner, setting, std::move(weights)...),
                              Used(make_part<R>(config.rule, setting)), config.update, setting.key, exactness,
                              config.spending, config.aim);
    });
  } else {
    throw ConfigError(
        fmt::format("rule {} needs a learner with a spread, {} has none", R::info.name, L::info.name));
  }
}

template <class Group, template <class> class Compiled>
std::unique_ptr<AnySampler> make_from(const SamplerConfig& config, const Setting& setting,
                                      Exactness exactness) {
  std::unique_ptr<AnySampler> sampler;
  for_each_type(Group{}, [&]<class L>() {
    if (L::info.name != config.learner.name) return;
    for_each_type(Rules{}, [&]<class R>() {
      if (R::info.name == config.rule.name) sampler = make_pair<L, R, Compiled>(config, setting, exactness);
    });
  });
  return sampler;
}

}  // namespace askfew

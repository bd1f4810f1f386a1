#include "askfew/catalog/interleaved.h"
#include "askfew/catalog/pairs.h"
#include "askfew/composed/shared_scaling.h"
#include "askfew/linalg/weight_column.h"

namespace askfew {
namespace {

/// Calls f<L>() if the learner L is the configured one and is a template of its weights.
template <class F>
void for_learner_that_shares_weights(const SamplerConfig& config, F&& f) {
  for_each_type(FirstOrder{}, [&]<class L>() {
    if constexpr (SharesWeights<L>) {
      if (L::info.name == config.learner.name) f.template operator()<L>();
    }
  });
}

/// The same if L is a template of its scaler.
template <class F>
void for_learner_that_shares_scaling(const SamplerConfig& config, F&& f) {
  for_each_type(SecondOrderFamily{}, [&]<class L>() {
    if constexpr (SharesScaling<L>) {
      if (L::info.name == config.learner.name) f.template operator()<L>();
    }
  });
}

template <class L>
OnlineScaler::Options scaler_options(const SamplerConfig& config, const Setting& setting) {
  return L::scaler_options(params_of<typename L::Params>(config.learner), setting);
}

}  // namespace

std::shared_ptr<SharedWork> make_shared_work(const SamplerConfig& config, const Setting& setting,
                                             std::size_t tasks) {
  std::shared_ptr<SharedWork> shared;
  for_learner_that_shares_weights(config,
                                  [&]<class L>() { shared = std::make_shared<InterleavedWeights>(tasks); });
  for_learner_that_shares_scaling(config, [&]<class L>() {
    shared = std::make_shared<ScaledTasks>(tasks, scaler_options<L>(config, setting));
  });
  return shared;
}

std::unique_ptr<AnySampler> make_sharing(const SamplerConfig& config, const Setting& setting,
                                         Exactness exactness, const std::shared_ptr<SharedWork>& shared,
                                         std::size_t slot) {
  std::unique_ptr<AnySampler> sampler;
  const auto make = [&]<class L, template <class> class Compiled>(const auto& place) {
    for_each_type(Rules{}, [&]<class R>() {
      if (R::info.name == config.rule.name)
        sampler = make_pair<L, R, Compiled>(config, setting, exactness, place());
    });
  };
  for_learner_that_shares_weights(config, [&]<class L>() {
    make.template operator()<typename L::template With<WeightColumn>, Alone>(
        [&] { return WeightColumn(std::static_pointer_cast<InterleavedWeights>(shared), slot); });
  });
  for_learner_that_shares_scaling(config, [&]<class L>() {
    make.template operator()<typename L::template WithScaling<SharedScaling>, Together>([&] {
      return SharedScaling(std::static_pointer_cast<ScaledTasks>(shared), slot,
                           scaler_options<L>(config, setting));
    });
  });
  return sampler;
}

}  // namespace askfew

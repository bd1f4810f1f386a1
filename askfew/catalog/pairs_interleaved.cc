#include "askfew/catalog/interleaved.h"
#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnySampler> make_interleaved(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness, WeightColumn weights) {
  std::unique_ptr<AnySampler> sampler;
  for_each_type(FirstOrder{}, [&]<class L>() {
    if constexpr (SharesWeights<L>) {
      if (L::info.name != config.learner.name) return;
      for_each_type(Rules{}, [&]<class R>() {
        if (R::info.name != config.rule.name) return;
        sampler = make_pair<typename L::template With<WeightColumn>, R, Alone>(config, setting, exactness,
                                                                               std::move(weights));
      });
    }
  });
  return sampler;
}

}  // namespace askfew

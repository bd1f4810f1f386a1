#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnySampler> make_first_order(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness) {
  return make_from<FirstOrder, Alone>(config, setting, exactness);
}

}  // namespace askfew

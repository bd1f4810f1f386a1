#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnySampler> make_second_order(const SamplerConfig& config, const Setting& setting,
                                              Exactness exactness) {
  return make_from<SecondOrderFamily, Together>(config, setting, exactness);
}

}  // namespace askfew

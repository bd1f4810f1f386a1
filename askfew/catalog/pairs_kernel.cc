#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnySampler> make_kernel(const SamplerConfig& config, const Setting& setting,
                                        Exactness exactness) {
  return make_from<Kernels, Together>(config, setting, exactness);
}

}  // namespace askfew

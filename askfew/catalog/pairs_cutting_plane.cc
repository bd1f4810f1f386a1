#include "askfew/catalog/pairs.h"

namespace askfew {

std::unique_ptr<AnySampler> make_cutting_plane(const SamplerConfig& config, const Setting& setting,
                                               Exactness exactness) {
  return make_from<CuttingPlanes, Together>(config, setting, exactness);
}

}  // namespace askfew

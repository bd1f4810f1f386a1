#include "askfew/linalg/halfspace.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "askfew/core/errors.h"

namespace askfew {

std::size_t small_dimension(std::string_view learner, const Setting& setting, std::size_t most) {
  if (setting.dimension == 0)
    throw ConfigError(fmt::format("{}: the number of features must be known", learner));
  if (setting.dimension > most) {
    throw ConfigError(
        fmt::format("{}: {} features are too many, accepted: at most {}", learner, setting.dimension, most));
  }
  return setting.dimension;
}

Halfspace halfspace_of(const FeatureView& x, Label y, double margin, std::span<double> normal,
                       std::string_view learner) {
  if (x.extent() > normal.size()) {
    throw ConfigError(
        fmt::format("{}: feature {} is beyond the dimension {}", learner, x.extent(), normal.size()));
  }
  const double length = std::sqrt(x.squared_norm());
  if (!std::isfinite(length)) throw NumericFailure("the norm of the instance is not finite");
  std::fill(normal.begin(), normal.end(), 0.0);
  if (length == 0) return {};
  x.for_each([&](FeatureView::Index i, double v) { normal[i] = sign(y) * v / length; });
  return {.length = length, .height = sign(y) * margin / length};
}

}  // namespace askfew

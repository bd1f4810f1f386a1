#include "askfew/core/features.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr FeatureView::Index last_index = std::numeric_limits<FeatureView::Index>::max();

[[noreturn]] void refuse(std::string why) {
  throw DataError(ParseError{.why = std::move(why)});
}

}  // namespace

FeatureView FeatureView::sparse(std::span<const Index> indices, std::span<const double> values) {
  if (indices.size() != values.size()) {
    refuse(fmt::format("{} indices and {} values: each feature needs one of both", indices.size(),
                       values.size()));
  }
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (k > 0 && indices[k] <= indices[k - 1]) {
      refuse(fmt::format("index {} after {}: indices must ascend", indices[k], indices[k - 1]));
    }
    if (!std::isfinite(values[k]))
      refuse(fmt::format("value {} of feature {} is not finite", values[k], indices[k]));
  }
  if (!indices.empty() && indices.back() == last_index) {
    refuse(fmt::format("index {} is too large, accepted: at most {}", last_index, last_index - 1));
  }
  return unchecked_sparse(indices, values);
}

FeatureView FeatureView::dense(std::span<const double> values) {
  if (values.size() > last_index) {
    refuse(fmt::format("{} features are too many, accepted: at most {}", values.size(), last_index));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) refuse(fmt::format("value {} of feature {} is not finite", values[i], i));
  }
  return unchecked_dense(values);
}

}  // namespace askfew

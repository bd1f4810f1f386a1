#pragma once

#include <algorithm>
#include <limits>

namespace askfew {

/// A feature value as supports with element type T store it. A value too large for T becomes the largest T,
/// not infinity, because 0 times infinity is NaN.
template <class T>
T stored(double value) {
  constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
  return static_cast<T>(std::clamp(value, -most, most));
}

}  // namespace askfew

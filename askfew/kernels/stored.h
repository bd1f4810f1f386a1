#pragma once

#include <algorithm>
#include <limits>

namespace askfew {

/// A feature as supports of element type T hold it. Too large for T is the largest T, not infinity, which
/// would make 0 times it a NaN.
template <class T>
T stored(double value) {
  constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
  return static_cast<T>(std::clamp(value, -most, most));
}

}  // namespace askfew

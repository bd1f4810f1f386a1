#pragma once

// The labels of a table: numbers or names.

#include <cmath>
#include <optional>
#include <string_view>

#include "askfew/streams/formats/common/number.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// A label that is a whole number: 7, -1, +1, and 1.0 as LIBSVM writes it.
inline std::optional<Examples::LabelId> whole_number(std::string_view text) {
  constexpr double most = LabelNames::first;
  double value = 0;
  if (!read_number(text, value) || !(std::abs(value) < most) || value != std::trunc(value))
    return std::nullopt;
  return static_cast<Examples::LabelId>(value);
}

}  // namespace askfew

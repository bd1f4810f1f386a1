#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"

namespace askfew {

/// A whole number from 0 to `most`, as JSON. The library would also turn 1e300 and -1 into one.
/// THROWS: ModelError.
inline std::uint64_t json_count(const nlohmann::json& value,
                                std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    throw ModelError("damaged header: a number in it is out of range");
  }
  return value.get<std::uint64_t>();
}

}  // namespace askfew

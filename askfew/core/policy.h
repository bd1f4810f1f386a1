#pragma once

#include <cstdint>

namespace askfew {

/// Which asked labels the learner learns from.
enum class UpdatePolicy : std::uint8_t {
  mistake,  ///< labels that show a mistake
  asked,    ///< all asked labels
  margin    ///< labels on which the learner's own loss is positive (PA, ALMA)
};

}  // namespace askfew

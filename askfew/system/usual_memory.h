#pragma once

#include <cstdint>

namespace askfew {

/// Three quarters of the machine's memory, in bytes; what a workflow may take unless it is told otherwise.
std::uint64_t usual_memory();

}  // namespace askfew

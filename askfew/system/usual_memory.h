#pragma once

#include <cstdint>

namespace askfew {

/// Three quarters of the machine's memory, in bytes: the default memory limit of a workflow.
std::uint64_t usual_memory();

}  // namespace askfew

#pragma once

#include <cstdint>
#include <string>

namespace askfew::cli {

/// For `transform`: 500MB, 1.5 GiB or 4096 becomes a number of bytes. Returns what is wrong with it, or
/// nothing.
std::string size_in_bytes(std::string& text);

/// Three quarters of the machine's memory.
std::uint64_t usual_memory();

}  // namespace askfew::cli

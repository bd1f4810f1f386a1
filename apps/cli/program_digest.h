#pragma once

#include <string>

namespace askfew::cli {

/// A digest of the bytes of this program: two builds that differ anywhere have different digests, also if
/// their version is the same. THROWS: FileError.
std::string program_digest();

}  // namespace askfew::cli

#pragma once

#include <string>

#include "askfew/streams/byte_source.h"

namespace askfew {

/// The SHA-256 of what is left of a source, as 64 hexadecimal digits.
std::string sha256_of(ByteSource& source);

}  // namespace askfew

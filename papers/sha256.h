#pragma once

#include <string>

#include "askfew/streams/byte_source.h"

namespace askfew {

/// The SHA-256 of the bytes that are left in a source, as 64 hexadecimal digits.
std::string sha256_of(ByteSource& source);

}  // namespace askfew

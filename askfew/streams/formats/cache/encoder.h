#pragma once

#include <string>

#include "askfew/streams/stream.h"

namespace askfew {

/// The payload of a block of a cache. `stream` has the names of the labels; `source` is the number of the
/// examples' source in the header. REQUIRES: indices ascend, also indices of words; there is no bias.
std::string encode_block(const Examples& examples, const Stream& stream, std::size_t source);

}  // namespace askfew

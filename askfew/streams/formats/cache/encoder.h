#pragma once

#include <string>

#include "askfew/streams/stream.h"

namespace askfew {

/// The payload of a block of a cache. `stream` names the labels; `source` says which of the header's sources
/// the examples come from. REQUIRES: indices ascend, also those of words; there is no bias.
std::string encode_block(const Examples& examples, const Stream& stream, std::size_t source);

}  // namespace askfew

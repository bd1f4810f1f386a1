#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "askfew/core/snapshot.h"

namespace askfew {

/// Models on disk are safetensors files: an 8-byte length, a JSON header, raw little-endian tensors. The
/// header's metadata holds the configuration and a checksum (XXH3, 64 bits) over the whole file with the
/// checksum's own digits as zeros.

/// Writes without a second copy of the tensors.
void write_model(const Snapshot& snapshot, std::ostream& out);
std::string encode_model(const Snapshot& snapshot);
/// THROWS: ModelError with the reason if the bytes are damaged, truncated or foreign.
Snapshot decode_model(std::string_view bytes);

/// THROWS: FileError, ModelError.
Snapshot read_model(const std::string& path);

}  // namespace askfew

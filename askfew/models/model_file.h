#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "askfew/core/snapshot.h"

// Threads: many threads may call these functions at the same time, each with a file of its own to write.

namespace askfew {

/// Models on disk are safetensors files: an 8-byte length, a JSON header, raw little-endian tensors. The
/// header's metadata holds the configuration and a checksum (XXH3, 64 bits) over the whole file, with the
/// digits of the checksum itself set to zero.

/// Writes without a second copy of the tensors.
void write_model(const Snapshot& snapshot, std::ostream& out);
std::string encode_model(const Snapshot& snapshot);
/// THROWS: ModelError with the reason if the bytes are damaged, truncated or foreign.
Snapshot decode_model(std::string_view bytes);

/// THROWS: FileError, ModelError.
Snapshot read_model(const std::string& path);

/// A whole number from 0 to `most` in a header. (The JSON library would also convert 1e300 and -1.) THROWS:
/// ModelError.
std::uint64_t json_count(const nlohmann::json& value,
                         std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace askfew

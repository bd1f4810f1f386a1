#pragma once

// Synthetic streams by their names and parameters.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/config/spec.h"
#include "askfew/streams/formats/synthetic/generator.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// The description of a synthetic stream.
struct SyntheticEntry {
  GeneratorInfo info;
  std::vector<ParamEntry> params;
};
std::vector<SyntheticEntry> synthetic_entries();

/// Is a text a synthetic stream, `synthetic:NAME:PARAMETER=VALUE,...`, and not a file? Write
/// `./synthetic:...` for a file with such a name.
bool is_synthetic(std::string_view text);

/// REQUIRES: `is_synthetic`. THROWS: ConfigError for an unknown name, an unknown parameter or a value out of
/// range.
std::unique_ptr<Generator> make_generator(std::string_view text);
/// The same text with all parameters.
std::string full_synthetic(std::string_view text);

/// The stream of a text. Options about files are ignored. REQUIRES: `is_synthetic`. THROWS: ConfigError, also
/// for too many features.
std::unique_ptr<Stream> open_synthetic(const std::string& text, const StreamOptions& options);

}  // namespace askfew

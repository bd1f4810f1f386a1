#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/config/spec.h"
#include "askfew/streams/formats/synthetic/generator.h"
#include "askfew/streams/stream_options.h"

namespace askfew {

/// What there is to know about a synthetic stream before it is made.
struct SyntheticEntry {
  GeneratorInfo info;
  std::vector<ParamEntry> params;
};
std::vector<SyntheticEntry> synthetic_entries();

/// Does a text stand for a synthetic stream, `synthetic:NAME:PARAMETER=VALUE,...`, and not for a file? A file
/// of such a name is `./synthetic:...`.
bool is_synthetic(std::string_view text);

/// REQUIRES: `is_synthetic`. THROWS: ConfigError for an unknown name, and for parameters that it does not
/// have or that are out of range.
std::unique_ptr<Generator> make_generator(std::string_view text);
/// The same in full: with all of its parameters.
std::string full_synthetic(std::string_view text);

/// The stream that a text stands for. Of the options those count that have nothing to do with files.
/// REQUIRES: `is_synthetic`. THROWS: ConfigError, also for more features than there may be.
std::unique_ptr<Stream> open_synthetic(const std::string& text, const StreamOptions& options);

}  // namespace askfew

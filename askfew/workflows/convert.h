#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Data that is written in another form.
struct ConvertOptions {
  DataOptions data{};
  ReadingOptions reading{};
  std::string output{};      ///< a file; "-": see ConvertHooks
  std::string to = "cache";  ///< cache, which is read many times as fast, or svmlight text
};

struct ConvertHooks : Hooks {
  /// So many examples are written.
  std::function<void(std::uint64_t examples)> progress{};
  /// Where the output "-" goes; without it "-" is refused.
  std::ostream* standard_output = nullptr;
};

struct ConvertResult {
  std::uint64_t examples = 0;
  std::uint64_t skipped = 0;  ///< malformed ones that were left out
  bool stopped = false;       ///< then nothing is written
};

/// THROWS: ConfigError, FileError, DataError.
ConvertResult convert(const ConvertOptions& options, const ConvertHooks& hooks = {});

}  // namespace askfew

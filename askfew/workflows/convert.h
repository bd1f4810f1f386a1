#pragma once

// The command `convert` as a function.

#include <functional>
#include <ostream>
#include <string>

#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Options to write data in another format.
struct ConvertOptions {
  DataOptions data{};
  ReadingOptions reading{};
  std::string output{};      ///< a file; "-": see ConvertHooks
  std::string to = "cache";  ///< cache, which is read much faster, or svmlight text
};

struct ConvertHooks : Hooks {
  /// Called with the number of examples written.
  std::function<void(std::uint64_t examples)> progress{};
  /// The output for the path "-"; without it "-" is refused.
  std::ostream* standard_output = nullptr;
};

struct ConvertResult {
  std::uint64_t examples = 0;
  std::uint64_t skipped = 0;  ///< malformed examples that were skipped
  bool stopped = false;       ///< true: nothing was written
};

/// THROWS: ConfigError, FileError, DataError.
ConvertResult convert(const ConvertOptions& options, const ConvertHooks& hooks = {});

}  // namespace askfew

#pragma once

#include <string>

#include "askfew/trials/interval_coverage.h"
#include "askfew/workflows/compare.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// An audited sampler that is run many times, its intervals held against the truth.
struct CoverageOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  SamplerOptions sampler{.sampler = "sel-p", .audit = "1%"};  ///< a preset, and what it may spend
  std::size_t runs = 200;                                     ///< that differ in their coins
  std::uint64_t seed = 1;                                     ///< of the first run; the others count on
  std::uint64_t every = 50;                                   ///< rounds between two looks at the intervals
};

struct CoverageResult {
  bool stopped = false;  ///< then nothing is known
  Coverage coverage{};
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
CoverageResult coverage(const CoverageOptions& options, const JobHooks& hooks = {});

}  // namespace askfew

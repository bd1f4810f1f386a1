#pragma once

#include <functional>
#include <string>
#include <vector>

#include "askfew/trials/compare_samplers.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// How a caller follows a workflow of many jobs.
struct JobHooks : Hooks {
  /// Called by one thread at a time, whichever has done a job.
  std::function<void(const JobsDone&)> progress{};
};

/// Samplers at given shares of labels, several runs each.
struct CompareOptions {
  DataOptions data{};
  LabelOptions labels{};
  ReadingOptions reading{};
  /// Presets with commas between them; a piece like `b=0.5` belongs to the one before:
  /// "sel-p:rate=2,b=0.5,sel-2nd".
  std::string samplers = "pa-log,sel-p,sel-p-fixed";
  std::string rates = "1%,2%,5%,10%,20%,50%,100%";  ///< shares of the labels
  std::size_t runs = 5;                             ///< that differ in their coins
  std::uint64_t seed = 1;                           ///< of the first run; the others count on
  bool shuffle = false;                             ///< every run sees the data in another order
};

struct CompareResult {
  bool stopped = false;  ///< then there is no point
  std::vector<std::string> samplers;
  std::vector<double> rates;         ///< ascending
  std::vector<ComparePoint> points;  ///< sampler by sampler, rate by rate
  std::string data;                  ///< its name, for people
  std::size_t examples = 0;
  std::size_t tasks = 0;  ///< scores are means over them
};

/// THROWS: ConfigError, FileError, DataError, NumericError, MemoryError.
CompareResult compare(const CompareOptions& options, const JobHooks& hooks = {});

/// Every point, for programs.
std::string json_of(const CompareResult& result);

}  // namespace askfew

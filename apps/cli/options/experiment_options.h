#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "askfew/workflows/compare.h"

#include "apps/cli/options/options.h"

namespace askfew::cli {

/// `1%`, or `0.01`: a share in (0, 1]. THROWS: ConfigError.
double parse_share(const std::string& text);
/// Shares with commas between them, ascending.
std::vector<double> parse_shares(const std::string& text);

/// Presets with commas between them; a piece like `b=0.5` belongs to the one before:
/// `sel-p:rate=2,b=0.5,sel-2nd`. THROWS: ConfigError.
std::vector<NamedSampler> parse_samplers(const std::string& text);

/// The data of an experiment, read into memory as a model would read it.
struct ExperimentData {
  DataOptions data;
  ModelOptions reading;

  /// Adds the options.
  void add_to(CLI::App& command);
  /// What the tasks are called, and all examples. THROWS: as `open`.
  struct Loaded {
    std::vector<std::string> tasks;
    Dataset dataset;
    bool normalized = false;
  };
  [[nodiscard]] Loaded load(const std::atomic<bool>& interrupted) const;
};

/// Refuses samplers that need unit norms unless the data has them. THROWS: ConfigError.
void check_norms(const std::vector<NamedSampler>& samplers, const Dataset& data);

/// How far jobs have come, and how long the rest may take, on standard error.
class JobsProgress {
 public:
  JobsProgress(std::string name, bool quiet);
  ~JobsProgress();
  JobsProgress(const JobsProgress&) = delete;
  JobsProgress& operator=(const JobsProgress&) = delete;
  JobsProgress(JobsProgress&&) = delete;
  JobsProgress& operator=(JobsProgress&&) = delete;

  void operator()(const JobsDone& done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  bool quiet_;
  bool terminal_;
  bool printed_ = false;
  // When the first jobs were done: what comes before them, reading the data, is not their time.
  struct Begun {
    Clock::time_point time;
    double cost;
  };
  std::optional<Begun> begun_;
  double cost_ = 0;  // of the last report
  Clock::time_point last_{};
};

}  // namespace askfew::cli

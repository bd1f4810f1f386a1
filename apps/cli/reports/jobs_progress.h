#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "askfew/workflows/compare.h"

namespace askfew::cli {

/// How far jobs have come, and how long the rest may take, on standard error.
class JobsProgress {
 public:
  JobsProgress(std::string name, bool quiet);
  ~JobsProgress();
  JobsProgress(const JobsProgress&) = delete;
  JobsProgress& operator=(const JobsProgress&) = delete;
  JobsProgress(JobsProgress&&) = delete;
  JobsProgress& operator=(JobsProgress&&) = delete;

  /// The workflow tells its progress and its doubts here. REQUIRES: this object outlives the workflow.
  void listen(JobHooks& hooks);
  void operator()(const JobsDone& done);

 private:
  /// Makes room for another line on a terminal.
  void clear() const;

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

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "askfew/trials/jobs.h"

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

  void operator()(const JobsDone& done);
  /// Makes room for another line on a terminal.
  void clear() const;

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

#pragma once

#include <chrono>
#include <cstdint>

#include "askfew/workflows/run.h"

namespace askfew::cli {

/// How a run is going, on standard error: one line that changes on a terminal, else a line whenever the
/// rounds have doubled; and the changes that were noticed, a line each.
class Progress {
 public:
  Progress();
  ~Progress() { finish(); }  // an error gets a line of its own
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  void operator()(const RunProgress& run);
  /// Clears the line that changes, for good.
  void finish();

 private:
  void clear() const;
  void print(const RunProgress& run);
  void print_line(const RunProgress& run);

  bool terminal_;
  std::uint64_t next_ = 1;
  bool printed_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace askfew::cli

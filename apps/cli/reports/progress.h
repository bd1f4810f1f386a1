#pragma once

#include <chrono>
#include <cstdint>

#include "askfew/models/model.h"

namespace askfew::cli {

/// How a run is going, on standard error: one line that changes on a terminal, else a line whenever the
/// rounds have doubled.
class Progress {
 public:
  explicit Progress(const Model& model);
  ~Progress() { finish(); }  // an error gets a line of its own
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  Progress(Progress&&) = delete;
  Progress& operator=(Progress&&) = delete;

  void operator()(std::uint64_t rounds);
  /// Clears the line that changes, so that another can be written in its place.
  void clear() const;
  /// Clears it for good.
  void finish();

 private:
  void print_line(std::uint64_t rounds);

  const Model& model_;
  bool terminal_;
  std::uint64_t next_ = 1;
  bool printed_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace askfew::cli

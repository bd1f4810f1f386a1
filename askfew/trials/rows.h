#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "askfew/models/round_loop.h"

namespace askfew {

/// Instances in memory with the labels of one task, for RoundLoop.
struct LabelledRows {
  std::span<const FeatureView> x;
  std::span<const Label> y;

  [[nodiscard]] std::size_t size() const { return x.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return x; }
  [[nodiscard]] std::span<const Label> labels(std::size_t row) const { return y.subspan(row, 1); }
  [[nodiscard]] static bool is_timed() { return false; }
  [[nodiscard]] static std::int64_t time(std::size_t /*row*/) { return 0; }
};

/// A binary task with this sampler.
inline Task task_of(std::unique_ptr<AnySampler> sampler) {
  return {.name = "", .label = 0, .sampler = std::move(sampler), .confusion = {}};
}

/// Runs a task over rows; `row(k)` gives a pair of instance and label, for k from 0 to size - 1, a few
/// hundred at a time. After each round calls see(k, x, round), which returns whether to continue.
template <class RowAt, class See>
void run_rows(Task& task, std::size_t size, const RowAt& row, const See& see) {
  constexpr std::size_t most = 512;  // as in a run
  RoundLoop loop(TaskSet(std::span<Task>(&task, 1)));
  std::vector<FeatureView> x;
  std::vector<Label> y;
  bool goes_on = true;
  for (std::size_t first = 0; goes_on && first < size; first += most) {
    x.clear();
    y.clear();
    for (std::size_t k = first; k < std::min(size, first + most); ++k) {
      const auto& [instance, label] = row(k);
      x.push_back(instance);
      y.push_back(label);
    }
    loop.run(LabelledRows{x, y}, [&](std::size_t /*task*/, const FeatureView& instance, const Round& round) {
      return goes_on = see(first + loop.row(), instance, round);
    });
  }
}

}  // namespace askfew

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/estimates/calibration.h"
#include "askfew/estimates/confusion.h"
#include "askfew/linalg/toss_table.h"

namespace askfew {

/// Rounds of up to 64 tasks whose rules ask with probability b/(b + |m|): a TossTable decides them, and what
/// it keeps is counted task by task, so that the counts of a task are loaded once for many rounds.
class TossedRounds {
 public:
  /// Adds a task. REQUIRES: the counts outlive this object.
  void add(CoinKey key, Confusion& confusion, Calibration& calibration);

  /// The number of rounds so far.
  void begin(std::uint64_t round);
  /// The rule of a task, and its sum of probabilities so far.
  void begin_task(std::size_t task, double b, double expected_asked) { table_.set(task, b, expected_asked); }

  /// Decides the next round, and counts nothing yet. `labels`: the tasks whose labels are positive.
  TossBits toss(std::span<const double> margins, std::uint64_t labels) {
    return table_.toss(round(), margins, labels);
  }
  // Of this decision:
  [[nodiscard]] std::uint64_t round() const { return round_ + 1; }
  [[nodiscard]] double probability(std::size_t task) const { return table_.probability(task); }
  /// The round has been completed by all tasks.
  void count() {
    ++round_;
    table_.keep();
    if (table_.kept() == TossTable::max_kept) count_kept();
  }

  /// Ends the pass: counts what is left to count. Before, the counts of the tasks are not up to date.
  void finish();
  // After `finish`, since `begin`:
  [[nodiscard]] std::uint64_t rounds() const { return round_ - first_round_; }
  [[nodiscard]] std::uint64_t asked(std::size_t task) const { return table_.counts(task).asked; }
  /// The sum of all probabilities so far.
  [[nodiscard]] double expected_asked(std::size_t task) const { return table_.sum(task); }

 private:
  struct Task {
    Confusion* confusion;
    Calibration* calibration;
  };

  void count_kept();

  std::vector<Task> tasks_;
  TossTable table_;
  std::uint64_t first_round_ = 0;
  std::uint64_t round_ = 0;
};

}  // namespace askfew

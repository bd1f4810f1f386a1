#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/core/coin_table.h"
#include "askfew/core/shared_margins.h"
#include "askfew/estimates/calibration.h"
#include "askfew/estimates/confusion.h"

namespace askfew {

/// Rounds of up to 64 tasks whose rules ask with probability b/(b + |m|): all coins of a round are tossed at
/// once. Some rounds are kept and then counted task by task, so that the counts of a task are loaded once for
/// all of them.
class TossedRounds {
 public:
  /// Adds a task. REQUIRES: the counts outlive this object.
  void add(CoinKey key, Confusion& confusion, Calibration& calibration);

  /// The number of rounds so far.
  void begin(std::uint64_t round);
  /// The rule of a task, and its sum of probabilities so far.
  void begin_task(std::size_t task, double b, double expected_asked);

  /// Decides the next round, and counts nothing yet. REQUIRES: the instance is prepared in `shared`.
  TossBits toss(const SharedMargins& shared);
  // Of this decision:
  [[nodiscard]] std::uint64_t round() const { return round_ + 1; }
  [[nodiscard]] double probability(std::size_t task) const { return probabilities_[size_ * width() + task]; }
  /// The round has been completed by all tasks. `labels`: the tasks whose labels are positive.
  void count(const TossBits& toss, std::uint64_t labels);

  /// Counts what is left to count. Before, the counts of the tasks are not up to date.
  void finish();
  // After `finish`, since `begin`:
  [[nodiscard]] std::uint64_t rounds() const { return round_ - first_round_; }
  [[nodiscard]] std::uint64_t asked(std::size_t task) const { return tasks_[task].asked; }
  /// The sum of all probabilities so far.
  [[nodiscard]] double expected_asked(std::size_t task) const { return tasks_[task].expected_asked; }

 private:
  static constexpr std::size_t max_kept = 32;
  struct Task {
    Confusion* confusion;
    Calibration* calibration;
    double expected_asked = 0;
    std::uint64_t asked = 0;
    std::uint64_t positives = 0;  // rounds in which the prediction or the label was positive
  };

  [[nodiscard]] std::size_t width() const { return b_.size(); }
  void count_kept();

  std::vector<Task> tasks_;
  CoinTable coins_;
  std::vector<double> b_;  // by task, and some more to fill a register
  std::uint64_t first_round_ = 0;
  std::uint64_t round_ = 0;

  // The kept rounds; the next round is written after them.
  std::size_t size_ = 0;
  std::vector<double> margins_;  // `width` for each round
  std::vector<double> probabilities_;
  std::array<std::uint64_t, max_kept> asked_{};
  std::array<std::uint64_t, max_kept> labels_{};
};

}  // namespace askfew

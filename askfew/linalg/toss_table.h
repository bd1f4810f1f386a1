#pragma once

#include <cstdint>
#include <span>

#include "askfew/linalg/aligned.h"
#include "askfew/linalg/coin_table.h"

namespace askfew {

/// The decisions of a round; bit k belongs to the k-th task.
struct TossBits {
  std::uint64_t asked = 0;     ///< the coin is below the probability
  std::uint64_t positive = 0;  ///< the margin is above 0
  bool is_finite = true;       ///< all margins are finite
};

/// The decisions of up to 64 tasks that ask with probability b/(b + |margin|): a register of tasks at a time.
/// Some rounds are kept, so that the caller counts them task by task.
class TossTable {
 public:
  static constexpr std::size_t max_kept = 32;

  void add(CoinKey key);
  /// Forgets all rounds and counts.
  void reset();
  /// The rule of a task, and its sum of probabilities so far.
  void set(std::size_t task, double b, double sum) {
    half_margins_[task] = b;
    sums_[task] = sum;
  }

  /// Decides round n, whose coins are the n-th ones. `labels`: the tasks whose labels are positive. REQUIRES:
  /// fewer than max_kept rounds are kept; a margin for each task, and some more to fill a register.
  TossBits toss(std::uint64_t n, std::span<const double> margins, std::uint64_t labels);
  /// Of the last decision.
  [[nodiscard]] double probability(std::size_t task) const { return probabilities_[place(kept_, task)]; }
  /// Keeps the last decision. Without this call the next decision replaces it.
  void keep() { ++kept_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }

  /// Counts the kept rounds. Then their labels can be read, until `clear` forgets them.
  void close();
  void clear() { kept_ = 0; }

  /// What `close` has counted since `reset`.
  struct Counts {
    std::uint64_t asked = 0;
    std::uint64_t true_positives = 0;
    std::uint64_t false_positives = 0;
    std::uint64_t false_negatives = 0;
  };
  [[nodiscard]] Counts counts(std::size_t task) const {
    return {.asked = counts_[place(0, task)],
            .true_positives = counts_[place(1, task)],
            .false_positives = counts_[place(2, task)],
            .false_negatives = counts_[place(3, task)]};
  }
  /// The sum of probabilities, in the order of the rounds.
  [[nodiscard]] double sum(std::size_t task) const { return sums_[task]; }

  // After `close`, of the kept rounds:

  /// Bit i: the label of the i-th round was asked, and its weight is finite.
  [[nodiscard]] std::uint64_t labelled(std::size_t task) const { return labelled_[task]; }
  /// By round, for one task.
  class Column {
   public:
    Column(const double* first, std::size_t stride) : first_(first), stride_(stride) {}
    double operator[](std::size_t round) const { return first_[round * stride_]; }

   private:
    const double* first_;
    std::size_t stride_;
  };
  [[nodiscard]] Column margins(std::size_t task) const { return {margins_.data() + task, width()}; }
  /// One over the probability; negative for a negative label.
  [[nodiscard]] Column weights(std::size_t task) const { return {probabilities_.data() + task, width()}; }

 private:
  static_assert(max_kept < 64);

  [[nodiscard]] std::size_t width() const { return half_margins_.size(); }
  [[nodiscard]] std::size_t place(std::size_t round, std::size_t task) const {
    return round * width() + task;
  }

  std::size_t tasks_ = 0;
  CoinTable coins_;
  // By task, and some more to fill a register:
  AlignedVector<double> half_margins_;
  AlignedVector<double> sums_;
  AlignedVector<std::uint64_t> asked_;     // bit i: of the i-th kept round
  AlignedVector<std::uint64_t> positive_;  // the margin is above 0
  AlignedVector<std::uint64_t> labels_;    // the label is positive
  AlignedVector<std::uint64_t> labelled_;
  AlignedVector<std::uint64_t> counts_;  // for each number of Counts
  // By round, then by task; the decision that is not kept yet comes after the kept ones:
  AlignedVector<double> margins_;
  AlignedVector<double> probabilities_;
  std::size_t kept_ = 0;
};

}  // namespace askfew

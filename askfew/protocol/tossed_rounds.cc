#include "askfew/protocol/tossed_rounds.h"

#include <bit>

namespace askfew {

void TossedRounds::add(CoinKey key, Confusion& confusion, Calibration& calibration) {
  tasks_.push_back({.confusion = &confusion, .calibration = &calibration});
  table_.add(key);
}

void TossedRounds::begin(std::uint64_t round) {
  first_round_ = round_ = round;
  table_.reset();
}

void TossedRounds::count_kept() {
  table_.close();
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    std::uint64_t left = table_.labelled(k);
    const TossTable::Column margins = table_.margins(k);
    const TossTable::Column weights = table_.weights(k);
    tasks_[k].calibration->add(static_cast<std::size_t>(std::popcount(left)), [&] {
      const auto round = static_cast<std::size_t>(std::countr_zero(left));
      left &= left - 1;
      return Calibration::Kept{.margin = margins[round], .weight = weights[round]};
    });
  }
  table_.clear();
}

void TossedRounds::finish() {
  count_kept();
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    const TossTable::Counts counts = table_.counts(k);
    Confusion& confusion = *tasks_[k].confusion;
    confusion.true_positives += counts.true_positives;
    confusion.false_positives += counts.false_positives;
    confusion.false_negatives += counts.false_negatives;
    confusion.true_negatives +=
        rounds() - counts.true_positives - counts.false_positives - counts.false_negatives;
  }
}

}  // namespace askfew

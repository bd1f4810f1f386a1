#include "askfew/protocol/tossed_rounds.h"

#include <algorithm>
#include <span>

#include "askfew/protocol/member_bits.h"

namespace askfew {

void TossedRounds::add(CoinKey key, Confusion& confusion, Calibration& calibration) {
  tasks_.push_back({.confusion = &confusion, .calibration = &calibration});
  coins_.add(key);
  b_.resize(coins_.row(1).size(), 1.0);
  margins_.resize(max_kept * width());
  probabilities_.resize(max_kept * width());
}

void TossedRounds::begin(std::uint64_t round) {
  first_round_ = round_ = round;
  size_ = 0;
}

void TossedRounds::begin_task(std::size_t task, double b, double expected_asked) {
  b_[task] = b;
  tasks_[task].expected_asked = expected_asked;
  tasks_[task].asked = tasks_[task].positives = 0;
}

TossBits TossedRounds::toss(const SharedMargins& shared) {
  const std::span<const double> margins = shared.margins().first(width());
  std::copy(margins.begin(), margins.end(), margins_.data() + size_ * width());
  TossBits toss = shared.toss(b_, coins_.row(round()), {probabilities_.data() + size_ * width(), width()});
  toss.asked &= low_bits(tasks_.size());
  toss.positive &= low_bits(tasks_.size());
  return toss;
}

void TossedRounds::count(const TossBits& toss, std::uint64_t labels) {
  for_each_bit(toss.positive | labels, [&](std::size_t k) {
    tasks_[k].confusion->add(label_at(toss.positive, k), label_at(labels, k));
    ++tasks_[k].positives;
  });
  asked_[size_] = toss.asked;
  labels_[size_] = labels;
  ++round_;
  if (++size_ == max_kept) count_kept();
}

void TossedRounds::count_kept() {
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    Task& task = tasks_[k];
    std::array<std::size_t, max_kept> asked;  // the kept rounds in which the label was asked
    std::size_t n = 0;
    double expected = task.expected_asked;
    for (std::size_t i = 0; i < size_; ++i) {  // no branches: a coin is hard to predict
      expected += probabilities_[i * width() + k];
      asked[n] = i;
      n += has_bit(asked_[i], k) ? 1 : 0;
    }
    for (const std::size_t i : std::span(asked).first(n)) {
      task.calibration->add(margins_[i * width() + k], label_at(labels_[i], k),
                            probabilities_[i * width() + k]);
    }
    task.expected_asked = expected;
    task.asked += n;
  }
  size_ = 0;
}

void TossedRounds::finish() {
  count_kept();
  // The rounds that nobody has counted are true negatives.
  for (Task& task : tasks_) {
    task.confusion->true_negatives += rounds() - task.positives;
    task.positives = rounds();
  }
}

}  // namespace askfew

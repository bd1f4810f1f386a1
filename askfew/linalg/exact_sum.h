#pragma once

namespace askfew {

/// A running sum in twice the precision: terms can be added and taken away again for ever without the sum
/// drifting from what it stands for. (Knuth's two-sum; TAOCP 2, 4.2.2.)
class ExactSum {
 public:
  ExactSum() = default;
  explicit ExactSum(double value) : high_(value) {}

  void add(double term) {
    const double sum = high_ + term;
    const double back = sum - high_;
    low_ += (high_ - (sum - back)) + (term - back);
    const double folded = sum + low_;  // |low| stays far below |sum|, so this is a fast two-sum
    low_ -= folded - sum;
    high_ = folded;
  }

  /// Multiplies by a power of two, exactly.
  void scale(double power_of_two) {
    high_ *= power_of_two;
    low_ *= power_of_two;
  }

  [[nodiscard]] double value() const { return high_; }

  static void state(auto& self, auto& visit) {
    visit("high", self.high_);
    visit("low", self.low_);
  }

 private:
  double high_ = 0;
  double low_ = 0;
};

}  // namespace askfew

#pragma once

// Sums in twice the precision of a double, for sums that are updated many times.

namespace askfew {

/// high + low += term, where high is the double nearest to the sum and low is the rounding error. (Knuth's
/// two-sum; TAOCP 2, 4.2.2.)
inline void add_exactly(double& high, double& low, double term) {
  const double sum = high + term;
  const double back = sum - high;
  low += (high - (sum - back)) + (term - back);
  high = sum + low;  // |low| stays far below |sum|, so this is a fast two-sum
  low -= high - sum;
}

/// A running sum in twice the precision: terms can be added and removed any number of times without drift.
class ExactSum {
 public:
  ExactSum() = default;
  explicit ExactSum(double value) : high_(value) {}

  void add(double term) { add_exactly(high_, low_, term); }

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

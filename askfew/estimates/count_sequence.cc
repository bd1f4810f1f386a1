#include "askfew/estimates/count_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/core/expects.h"
#include "askfew/math/elementary.h"

namespace askfew {

namespace {

using Row = CountGrid::Row;

/// From `first` to `last` with equal ratios.
Row geometric(double first, double last) {
  Row row{};
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = first * math::pow(last / first, static_cast<double>(j) / static_cast<double>(row.size() - 1));
  }
  return row;
}

/// Logarithms of weights proportional to these numbers.
Row log_weights(Row row) {
  double sum = 0;
  for (const double weight : row) sum += weight;
  for (double& weight : row) weight = math::log(weight / sum);
  return row;
}

/// A mixture of martingales as a function of the count L: ln sum_j exp(weight_j + sum_j -+ slope_j L), which
/// is convex in L. The weights are logarithms.
struct Mixture {
  const Row& weights;
  const Row& sums;
  const Row& slopes;

  /// The L at which the mixture is y: from below (sign -1, falling) or from above (+1, rising). Each term
  /// alone reaches y somewhere; where the first term reaches y, the mixture is not below y. Newton's method
  /// starts there. Because of convexity its steps never pass the solution, and stopping early gives a bound
  /// that is too wide, never too narrow.
  [[nodiscard]] double reach(double y, double sign) const {
    double root = sign * std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double alone = sign * (y - weights[j] - sums[j]) / slopes[j];
      root = sign > 0 ? std::min(root, alone) : std::max(root, alone);
    }
    for (int step = 0; step < 100; ++step) {
      const auto [value, slope] = at(root, sign);
      const double change = (y - value) / slope;
      root += change;
      if (std::abs(change) <= 1e-9 * (1 + std::abs(root))) break;
    }
    return root;
  }

  /// The mixture and its slope.
  [[nodiscard]] std::pair<double, double> at(double count, double sign) const {
    Row terms{};
    for (std::size_t j = 0; j < terms.size(); ++j) terms[j] = weights[j] + sums[j] + sign * slopes[j] * count;
    const double most = *std::max_element(terms.begin(), terms.end());
    double sum = 0;
    double slope = 0;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const double part = math::exp(terms[j] - most);
      sum += part;
      slope += sign * slopes[j] * part;
    }
    return {most + math::log(sum), slope / sum};
  }
};

/// Sums that are known at the numbers of the grid, which descend, at these numbers times b: on straight lines
/// between the numbers, and from the last number to 0, where every sum is 0. REQUIRES: 0 <= b <= 1.
Row at_scaled(const Row& sums, const Row& grid, double b) {
  Row scaled{};
  std::size_t above = 0;  // the last number that is not below
  for (std::size_t j = 0; j < grid.size(); ++j) {
    const double x = b * grid[j];
    while (above + 1 < grid.size() && grid[above + 1] >= x) ++above;
    const bool is_last = above + 1 == grid.size();
    const double next = is_last ? 0 : grid[above + 1];
    const double part = (x - next) / (grid[above] - next);
    scaled[j] = part * sums[above] + (is_last ? 0 : (1 - part) * sums[above + 1]);
  }
  return scaled;
}

Interval solve(double alpha, const Mixture& low, const Mixture& high) {
  const double limit = math::log(2 / alpha);
  return {.low = low.reach(limit, -1), .high = high.reach(limit, 1)};
}

}  // namespace

CountGrid::CountGrid(double least)
    : floor(least), h(geometric(1, 0.003 * least)), shrink(geometric(0.97 * least, 0.003 * 0.97 * least)) {
  EXPECTS(least > 0 && least <= 1);
  Row low{};
  Row high{};
  for (std::size_t j = 0; j < size; ++j) {
    const auto place = static_cast<double>(j);
    growth[j] = math::expm1(h[j]);
    eta[j] = -math::log1p(-shrink[j]);
    low[j] = 1 / std::sqrt(place + 2);
    high[j] = 1 / (place + 1);
  }
  // While no audit has found a mistake, the largest eta is by far the best; this may last for long.
  high[0] = 0;
  double rest = 0;
  for (const double weight : high) rest += weight;
  high[0] = rest * 3 / 7;
  low_weight = log_weights(low);
  high_weight = log_weights(high);
}

CountSequence::CountSequence(std::shared_ptr<const CountGrid> grid) : grid_(std::move(grid)) {}

void CountSequence::Sums::set_values(const std::vector<double>& values) {
  if (values.size() != at.size()) throw ModelError("an estimate has sums of another length");
  std::copy(values.begin(), values.end(), at.begin());
}

void CountSequence::change(bool counts, double chance, double sign) {
  EXPECTS(chance > 0 && chance <= 1);
  (counts ? present_ : absent_) += sign;
  if (is_sure(chance)) {
    sure_ += sign;
    if (counts) sure_present_ += sign;
    return;
  }
  weight_ += sign / chance;
  if (!counts) return;
  weight_present_ += sign / chance;
  change_low(chance, sign);
  change_high(chance, sign);
}

void CountSequence::change_lost(double chance, double sign) {
  EXPECTS(chance > 0 && chance <= 1);
  if (is_sure(chance)) {
    sure_lost_ += sign;
  } else {
    change_high(chance, sign);
  }
}

void CountSequence::change_low(double chance, double sign) {
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    low_.at[j] += sign * math::log1p(grid_->growth[j] / chance);
  }
}

void CountSequence::change_high(double chance, double sign) {
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    high_.at[j] += sign * math::log1p(-grid_->shrink[j] / chance);
  }
}

void CountSequence::merge(const CountSequence& other) {
  EXPECTS(floor() == other.floor());
  present_ += other.present_;
  absent_ += other.absent_;
  sure_ += other.sure_;
  sure_present_ += other.sure_present_;
  sure_lost_ += other.sure_lost_;
  weight_ += other.weight_;
  weight_present_ += other.weight_present_;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    low_.at[j] += other.low_.at[j];
    high_.at[j] += other.high_.at[j];
  }
}

Interval CountSequence::bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const {
  const Interval unsure =
      solve(alpha, {grid_->low_weight, low_.at, grid_->h}, {grid_->high_weight, high_.at, grid_->eta});
  const double most = sure_present_ + unsure.high + sure_lost_ + static_cast<double>(uncovered);
  // A count is a whole number; the rounding error of the solution is far below 1e-6.
  return {.low = std::max(present_, std::ceil(sure_present_ + unsure.low - 1e-6)),
          .high = std::min(static_cast<double>(rounds) - absent_, std::floor(most + 1e-6))};
}

bool CountSequence::refutes_at_most(double sum, const CountSequence& other, double b, double alpha) const {
  Row sums = at_scaled(other.low_.at, grid_->h, b);
  for (std::size_t j = 0; j < CountGrid::size; ++j) sums[j] += low_.at[j];
  const double unsure = sum - sure_present_ - b * other.sure_present_;
  return Mixture{grid_->low_weight, sums, grid_->h}.at(unsure, -1).first > math::log(1 / alpha);
}

bool CountSequence::refutes_at_least(double sum, const CountSequence& other, double b, double uncovered,
                                     double alpha) const {
  Row sums = at_scaled(other.high_.at, grid_->eta, b);
  for (std::size_t j = 0; j < CountGrid::size; ++j) sums[j] += high_.at[j];
  const double sure = sure_present_ + sure_lost_ + b * (other.sure_present_ + other.sure_lost_);
  const double unsure = sum - sure - uncovered;
  return Mixture{grid_->high_weight, sums, grid_->eta}.at(unsure, 1).first > math::log(1 / alpha);
}

Interval CountSequence::expected_bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const {
  Row low = low_.at;
  Row high = high_.at;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {  // p = 1: g is h, and -eta
    low[j] += sure_present_ * grid_->h[j];
    high[j] -= (sure_present_ + sure_lost_) * grid_->eta[j];
  }
  const Interval all =
      solve(alpha, {grid_->low_weight, low, grid_->growth}, {grid_->high_weight, high, grid_->shrink});
  return {.low = std::max(0.0, all.low),
          .high = std::min(static_cast<double>(rounds), all.high + static_cast<double>(uncovered))};
}

double CountSequence::value(std::uint64_t rounds) const {
  const double others = static_cast<double>(rounds) - sure_;
  return sure_present_ + (weight_ > 0 ? others * weight_present_ / weight_ : 0);
}

}  // namespace askfew

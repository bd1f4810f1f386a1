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

/// Where the horizon is known: most of the weight around the number that is best at the end, where the error,
/// or what the forecasts leave of it, is 10%. The rest stays as it was.
void prefer_end(const Row& numbers, double floor, std::uint64_t horizon, Row& log_weights) {
  constexpr double usual_error = 0.1;
  constexpr double limit = 3.7;  // ln(2/alpha) at 5%
  constexpr double spread = 0.2;
  constexpr double part = 0.9;
  const double wanted = std::sqrt(2 * limit * floor / (usual_error * static_cast<double>(horizon)));
  const double best = std::clamp(wanted, numbers.back(), numbers.front());
  Row near{};
  double sum = 0;
  for (std::size_t j = 0; j < near.size(); ++j) {
    const double off = math::log(numbers[j] / best) / spread;
    near[j] = math::exp(-off * off / 2);
    sum += near[j];
  }
  for (std::size_t j = 0; j < near.size(); ++j) {
    log_weights[j] = math::log((1 - part) * math::exp(log_weights[j]) + part * near[j] / sum);
  }
}

/// ln sum_j exp(weight_j + exponent_j).
double log_mixture(const Row& weights, Row exponents) {
  for (std::size_t j = 0; j < exponents.size(); ++j) exponents[j] += weights[j];
  const double most = *std::max_element(exponents.begin(), exponents.end());
  double sum = 0;
  for (const double exponent : exponents) sum += math::exp(exponent - most);
  return most + math::log(sum);
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

/// The bounds, of which the lower one has this share of alpha.
Interval solve(double alpha, double low_share, const Mixture& low, const Mixture& high) {
  return {.low = low.reach(-math::log(low_share * alpha), -1),
          .high = high.reach(-math::log((1 - low_share) * alpha), 1)};
}

}  // namespace

CountGrid::CountGrid(double least, std::uint64_t horizon, ForecastKind kind)
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
    // e^(-h/2) > 1 - floor
    const bool is_small = h[j] / 2 <= -math::log1p(-shrink[0]);
    const bool is_fitted = kind == ForecastKind::fitted;
    low_part[j] = is_fitted ? 1 / (1 + growth[j] / floor) : (is_small ? 1 : 0);
    high_part[j] = is_fitted ? 1 + shrink[j] / (2 * floor) : 1;
  }
  // While no audit has found a mistake, the largest eta is by far the best; this may last for long.
  high[0] = 0;
  double rest = 0;
  for (const double weight : high) rest += weight;
  high[0] = rest * 3 / 7;
  low_weight = log_weights(low);
  high_weight = log_weights(high);
  if (horizon > 0) {
    prefer_end(h, floor, horizon, low_weight);
    prefer_end(eta, floor, horizon, high_weight);
  }
}

CountSequence::CountSequence(std::shared_ptr<const CountGrid> grid) : grid_(std::move(grid)) {}

void CountSequence::Sums::set_values(const std::vector<double>& values) {
  if (values.size() != at.size()) throw ModelError("an estimate has sums of another length");
  std::copy(values.begin(), values.end(), at.begin());
}

void CountSequence::change(bool counts, double chance, double forecast, double sign) {
  EXPECTS(chance > 0 && chance <= 1);
  (counts ? present_ : absent_) += sign;
  if (is_sure(chance)) {
    sure_ += sign;
    if (counts) sure_present_ += sign;
    return;
  }
  weight_ += sign / chance;
  weight_forecast_ += sign * forecast / chance;
  if (counts) weight_present_ += sign / chance;
  if (!counts && forecast == 0) return;
  change_low(counts, chance, forecast, sign);
  change_high(counts, chance, forecast, sign);
}

void CountSequence::change_lost(double chance, double forecast, double sign) {
  EXPECTS(chance > 0 && chance <= 1);
  if (is_sure(chance)) {
    sure_lost_ += sign;
    return;
  }
  if (forecast > 0) change_low(false, chance, forecast, sign);
  change_high(true, chance, forecast, sign);
}

void CountSequence::change_low(bool counts, double chance, double forecast, double sign) {
  const double value = counts ? 1 : 0;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    const double growth = forecast == 0 ? value * grid_->growth[j]
                                        : math::expm1(grid_->h[j] * (value - grid_->low_part[j] * forecast));
    low_.at[j] += sign * math::log1p(growth / chance);
  }
}

void CountSequence::change_high(bool counts, double chance, double forecast, double sign) {
  const double value = counts ? 1 : 0;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    const double shrink = forecast == 0
                              ? value * grid_->shrink[j]
                              : -math::expm1(-grid_->eta[j] * (value - grid_->high_part[j] * forecast));
    high_.at[j] += sign * math::log1p(-shrink / chance);
  }
}

Row CountSequence::low_sums() const {
  Row sums = low_.at;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    sums[j] += grid_->h[j] * (grid_->low_part[j] * forecasts_);
  }
  return sums;
}

Row CountSequence::high_sums() const {
  Row sums = high_.at;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    sums[j] -= grid_->eta[j] * (grid_->high_part[j] * forecasts_);
  }
  return sums;
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
  weight_forecast_ += other.weight_forecast_;
  forecasts_ += other.forecasts_;
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    low_.at[j] += other.low_.at[j];
    high_.at[j] += other.high_.at[j];
  }
}

Interval CountSequence::bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const {
  const Row low = low_sums();
  const Row high = high_sums();
  const Interval unsure =
      solve(alpha, low_share, {grid_->low_weight, low, grid_->h}, {grid_->high_weight, high, grid_->eta});
  const double most = sure_present_ + unsure.high + sure_lost_ + static_cast<double>(uncovered);
  const Interval all = possible(rounds);
  // A count is a whole number; the rounding error of the solution is far below 1e-6.
  return {.low = std::clamp(std::ceil(sure_present_ + unsure.low - 1e-6), all.low, all.high),
          .high = std::clamp(std::floor(most + 1e-6), all.low, all.high)};
}

bool CountSequence::refutes_at_most(double total, const CountSequence& other, double b, double alpha) const {
  const Row ours = low_sums();
  const Row theirs = other.low_sums();
  const Row& h = grid_->h;
  Row exponents = at_scaled(theirs, h, b);
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    const auto exponent = [&](double part, double sum) {
      return ours[j] + sum - h[j] * (total * (1 - part) - sure_present_ - part * other.sure_present_);
    };
    exponents[j] = exponent(b, exponents[j]);
    // It is a straight line between the parts at which the sums are known.
    for (std::size_t k = j; k < CountGrid::size && h[k] > b * h[j]; ++k) {
      exponents[j] = std::min(exponents[j], exponent(h[k] / h[j], theirs[k]));
    }
  }
  return log_mixture(grid_->low_weight, exponents) > math::log(1 / alpha);
}

bool CountSequence::refutes_at_least(double total, std::uint64_t uncovered, const CountSequence& other,
                                     std::uint64_t other_uncovered, double b, double alpha) const {
  const Row ours = high_sums();
  const Row theirs = other.high_sums();
  const double known = sure_present_ + sure_lost_ + static_cast<double>(uncovered);
  const double others = other.sure_present_ + other.sure_lost_ + static_cast<double>(other_uncovered);
  const Row& eta = grid_->eta;
  Row exponents = at_scaled(theirs, eta, b);
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    const auto exponent = [&](double part, double sum) {
      return ours[j] + sum + eta[j] * (total * (1 - part) - known - part * others);
    };
    exponents[j] = std::min(exponent(b, exponents[j]), exponent(0, 0));
    for (std::size_t k = CountGrid::size; k-- > j && eta[k] < b * eta[j];) {
      exponents[j] = std::min(exponents[j], exponent(eta[k] / eta[j], theirs[k]));
    }
  }
  return log_mixture(grid_->high_weight, exponents) > math::log(1 / alpha);
}

Interval CountSequence::expected_bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const {
  Row low = low_sums();
  Row high = high_sums();
  for (std::size_t j = 0; j < CountGrid::size; ++j) {  // p = 1: g is h, and -eta
    low[j] += sure_present_ * grid_->h[j];
    high[j] -= (sure_present_ + sure_lost_) * grid_->eta[j];
  }
  const Interval all =
      solve(alpha, 0.5, {grid_->low_weight, low, grid_->growth}, {grid_->high_weight, high, grid_->shrink});
  return {.low = std::max(0.0, all.low),
          .high = std::min(static_cast<double>(rounds), all.high + static_cast<double>(uncovered))};
}

double CountSequence::value(std::uint64_t rounds) const {
  const double others = static_cast<double>(rounds) - sure_;
  const double off = weight_ > 0 ? others * (weight_present_ - weight_forecast_) / weight_ : 0;
  return sure_present_ + forecasts_ + off;
}

}  // namespace askfew

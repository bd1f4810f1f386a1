#include "askfew/estimates/mistake_forecast.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/core/expects.h"
#include "askfew/math/elementary.h"

namespace askfew {

namespace {

constexpr std::uint64_t first_period = 64;  // rounds
constexpr std::size_t max_periods = 90;     // 64 rounds times 1.5^89 are more than 2^53
constexpr double most_margin = 1e100;       // a sum of larger margins might overflow
/// Labels that count as seen before.
double labels_before(ForecastKind kind) {
  return kind == ForecastKind::fitted ? 12 : 6;
}

double size_of(double margin) {
  return std::min(std::abs(margin), most_margin);
}

/// The share of mistakes in the middle of each bin, if it falls with this power.
template <std::size_t bins>
std::array<double, bins> falling(double power) {
  std::array<double, bins> shares{};
  for (std::size_t k = 0; k < bins; ++k) {
    const double z = (static_cast<double>(k) + 0.5) / bins;
    shares[k] = power == 1 ? (1 - z) / 2 : math::pow(1 - z, power) / 2;
  }
  return shares;
}

}  // namespace

MistakeForecast::MistakeForecast(ForecastKind kind) : kind_(kind) {
  periods_.all.reserve(max_periods);
  periods_.all.push_back({.forecasts = forecasts()});
}

MistakeForecast::Bins MistakeForecast::forecasts() const {
  Bins shares;
  const double before = labels_before(kind_);
  const auto expected = falling<bins>(kind_ == ForecastKind::fitted ? likeliest_power() : 1);
  for (std::size_t k = 0; k < shares.at.size(); ++k) {
    const double mistakes = mistakes_.at[k] + before * expected[k % bins];
    shares.at[k] = std::min(largest, mistakes / (labels_.at[k] + before));
  }
  return shares;
}

/// Half a label in each bin, whose share falls with the power 2, counts as seen before.
double MistakeForecast::likeliest_power() const {
  constexpr double labels_seen = 0.5;
  const auto usual = falling<bins>(2);
  double best = 0;
  double most = 0;
  for (int step = 0; step <= 12; ++step) {
    const double power = math::pow(2, step / 3.0) / 2;
    const auto shares = falling<bins>(power);
    double likelihood = 0;
    for (std::size_t k = 0; k < labels_.at.size(); ++k) {
      const double labels = labels_.at[k] + labels_seen;
      const double mistakes = mistakes_.at[k] + labels_seen * usual[k % bins];
      likelihood +=
          mistakes * math::log(shares[k % bins]) + (labels - mistakes) * math::log1p(-shares[k % bins]);
    }
    if (step == 0 || likelihood > most) {
      best = power;
      most = likelihood;
    }
  }
  return best;
}

const MistakeForecast::Period& MistakeForecast::period_of(std::uint64_t round) const {
  const auto later = std::partition_point(periods_.all.begin(), periods_.all.end(),
                                          [&](const Period& period) { return period.before < round; });
  EXPECTS(later != periods_.all.begin());
  return *std::prev(later);
}

std::size_t MistakeForecast::bin_of(Label prediction, double margin, double mean) {
  const double size = size_of(margin);
  const double z = size == 0 ? 0 : size / (size + mean);
  const std::size_t bin = std::min(bins - 1, static_cast<std::size_t>(z * bins));
  return bin + (prediction == Label::positive ? bins : 0);
}

double MistakeForecast::of(std::uint64_t round, Label prediction, double margin) const {
  const Period& period = period_of(round);
  return period.forecasts.at[bin_of(prediction, margin, period.mean)];
}

void MistakeForecast::add(std::uint64_t round, double margin) {
  ++rounds_;
  margins_ += size_of(margin);
  const std::uint64_t begun = periods_.all.back().before;
  if (round < std::max(first_period, begun + begun / 2) || periods_.all.size() == max_periods) return;
  const double mean = margins_ / static_cast<double>(rounds_);
  periods_.all.push_back({.before = round, .mean = mean > 0 ? mean : 1, .forecasts = forecasts()});
}

void MistakeForecast::change(std::uint64_t round, Label prediction, double margin, bool wrong, double sign) {
  const std::size_t bin = bin_of(prediction, margin, period_of(round).mean);
  labels_.at[bin] += sign;
  if (wrong) mistakes_.at[bin] += sign;
}

void MistakeForecast::Bins::set_values(const std::vector<double>& values) {
  if (values.size() != at.size()) throw ModelError("the forecast of mistakes has another length");
  std::copy(values.begin(), values.end(), at.begin());
}

std::vector<double> MistakeForecast::Periods::values() const {
  std::vector<double> values;
  for (const Period& period : all) {
    values.insert(values.end(), {static_cast<double>(period.before), period.mean});
    values.insert(values.end(), period.forecasts.at.begin(), period.forecasts.at.end());
  }
  return values;
}

void MistakeForecast::Periods::set_values(const std::vector<double>& values) {
  constexpr std::size_t numbers = 2 + 2 * bins;
  const std::size_t count = values.size() / numbers;
  if (count == 0 || count > max_periods || values.size() % numbers != 0) {
    throw ModelError("the forecasts of mistakes have another length");
  }
  std::vector<Period> periods;
  periods.reserve(max_periods);
  for (auto at = values.begin(); at != values.end(); at += numbers) {
    const double before = at[0];
    const bool follows = periods.empty() ? before == 0 : before > static_cast<double>(periods.back().before);
    const bool possible = std::all_of(at + 2, at + numbers, [](double q) { return q >= 0 && q <= largest; });
    if (!follows || !(before < 0x1p53) || !(at[1] > 0) || !possible) {
      throw ModelError("the forecasts of mistakes contradict each other");
    }
    periods.push_back({.before = static_cast<std::uint64_t>(before), .mean = at[1], .forecasts = {}});
    periods.back().forecasts.set_values({at + 2, at + numbers});
  }
  all = std::move(periods);
}

}  // namespace askfew

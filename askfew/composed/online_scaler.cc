#include "askfew/composed/online_scaler.h"

#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "askfew/linalg/update_size.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

constexpr double clip = 5;               // the largest scaled value, before idf
constexpr double least_variance = 1e-8;  // of a centred feature, in its mean square
constexpr double alike = 0.5;            // deviation of l up to which scales are alike
constexpr double differing = 1;          // deviation of l from which every feature has its own size
constexpr double full_slope = 0.25;      // slope of l over H from which the values have idf already
constexpr int study_bits = 6;            // an instance is studied if its round has no bit after its leading 6

bool is_studied(std::uint64_t round) {
  const int low_bits = static_cast<int>(std::bit_width(round)) - study_bits;
  return low_bits <= 0 || (round & ((std::uint64_t{1} << low_bits) - 1)) == 0;
}

/// ln(1 + count) with the count rounded down to its 8 leading bits, from a table: a logarithm takes longer
/// than everything else that is done with a feature.
class CountLogs {
 public:
  CountLogs() {
    constexpr double leads = 1 << (leading_bits - 1);
    for (double power = 1; power < std::ldexp(1, max_bits); power *= 2) {
      for (double lead = 0; lead < leads; ++lead) {
        const double count = power * (1 + lead / leads);
        logs_[place_of(count)] = math::log(1 + count);
      }
    }
  }
  [[nodiscard]] double operator()(double count) const { return logs_[place_of(count)]; }

 private:
  static constexpr int leading_bits = 8;
  static constexpr int max_bits = 62;  // more rounds than any stream has

  /// A place for numbers below 1, then one for each exponent and leading bits of a double.
  static std::size_t place_of(double count) {
    constexpr int other_bits = 52 - (leading_bits - 1);
    constexpr std::int64_t below_one = (std::bit_cast<std::int64_t>(1.0) >> other_bits) - 1;
    const std::int64_t place = std::bit_cast<std::int64_t>(count) >> other_bits;
    return static_cast<std::size_t>(std::max(place, below_one) - below_one);
  }

  std::array<double, 1 + (max_bits << (leading_bits - 1))> logs_{};
};

const CountLogs& count_logs() {
  static const CountLogs logs;
  return logs;
}

/// In four lanes, so that no addition waits for the one before.
double sum_of_squares(std::span<const double> values) {
  std::array<double, 4> lane{};
  std::size_t k = 0;
  for (; k + 4 <= values.size(); k += 4) {
    for (std::size_t l = 0; l < 4; ++l) lane[l] += values[k + l] * values[k + l];
  }
  double sum = (lane[0] + lane[1]) + (lane[2] + lane[3]);
  for (; k < values.size(); ++k) sum += values[k] * values[k];
  return sum;
}

double clipped(double value) {
  return std::min(clip, std::max(-clip, value));
}

/// Begins an instance of at most `most` features with the constant.
void begin(double constant, std::size_t most, ScaledInstance& out) {
  if (out.indices.size() < 1 + most) {
    out.indices.resize(1 + most);
    out.values.resize(1 + most);
  }
  out.indices[0] = 0;
  out.values[0] = constant;
  out.size = 1;
}

/// Gives the features norm 1. `squares`: the sum of their squares.
void end(double constant, double squares, ScaledInstance& out) {
  const double factor = squares > 0 ? 1 / std::sqrt(squares) : 1;
  for (std::size_t k = 1; k < out.size; ++k) out.values[k] *= factor;
  out.squared_norm = constant * constant + (squares > 0 ? 1 : 0);
}

}  // namespace

void OnlineScaler::see(const FeatureView& x, double constant, ScaledInstance& out) {
  expect_update(x.squared_norm());
  const FeatureView::Index extent = fixed_ > 0 ? std::min(fixed_, x.extent()) : x.extent();
  if (extent > known()) features_.resize(per_feature * extent);
  double* features = features_.data();
  if (!x.is_dense()) {  // rare features are far from the processor: fetch them all at once
    for (std::size_t k = 0; k < x.size() && x.indices()[k] < extent; ++k) {
      __builtin_prefetch(features + per_feature * x.indices()[k], 1);
    }
  }
  ++rounds_;
  const bool are_alike = centred_ == 0 && fixed_ == 0 && own_ == 0;
  if (are_alike && !x.is_dense() && !is_studied(rounds_)) {
    count_and_scale(x, constant, out);
    return;
  }
  count(x, extent);
  if (is_studied(rounds_)) study(x);
  scale(x, constant, out);
}

void OnlineScaler::count(const FeatureView& x, FeatureView::Index extent) {
  x.for_each([&](FeatureView::Index i, double value) {
    if (i >= extent) return;
    features_[per_feature * i] += value != 0 ? 1 : 0;
    features_[per_feature * i + 1] += value * value;
    if (i < centred_) sums_[i] += value;
  });
}

void OnlineScaler::study(const FeatureView& x) {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  x.for_each([&](FeatureView::Index i, double value) {
    if (value == 0 || i >= known()) return;
    const Feature seen = feature(i);
    if (seen.squares <= 0 || is_centred(i, seen)) return;
    const double h = math::log(1 + log_rounds - log_of(seen.count));
    const double l = math::log(seen.squares / seen.count) / 2;
    const std::array terms{1.0, h, h * h, l, l * l, h * l};
    for (std::size_t k = 0; k < terms.size(); ++k) study_[k] += terms[k];
  });
  const double n = study_[0];
  if (n == 0) return;
  const double mean_h = study_[1] / n;
  const double mean_l = study_[3] / n;
  const double variance_h = study_[2] / n - mean_h * mean_h;
  const double variance_l = std::max(0.0, study_[4] / n - mean_l * mean_l);
  const double covariance = study_[5] / n - mean_h * mean_l;
  const double slope = variance_h > 1e-4 ? covariance / variance_h : 0;
  const double own = std::clamp((std::sqrt(variance_l) - alike) / (differing - alike), 0.0, 1.0);
  own_ = std::floor(4 * own + 0.5) / 4;
  idf_ = std::clamp(1 - (1 - own_) * slope / full_slope, 0.0, 1.0);
  factor_ = math::exp(-(1 - own_) * mean_l);
}

double OnlineScaler::centred_value(std::size_t i, double value, const Feature& seen) const {
  const auto rounds = static_cast<double>(rounds_);
  const double mean = sums_[i] / rounds;
  const double square = seen.squares / rounds;
  const double variance = std::max(square - mean * mean, least_variance * square);
  return variance > 0 ? clipped((value - mean) / std::sqrt(variance)) : 0;
}

/// The power `own` of the feature's size. Roots instead of powers: they are much faster.
double OnlineScaler::own_part(const Feature& seen) const {
  const double size = std::sqrt(seen.squares / seen.count);
  if (own_ == 1) return size;
  const double root = std::sqrt(size);
  if (own_ == 0.5) return root;
  return own_ == 0.25 ? std::sqrt(root) : root * std::sqrt(root);
}

void OnlineScaler::scale(const FeatureView& x, double constant, ScaledInstance& out) const {
  begin(constant, x.size() + centred_, out);
  if (centred_ > 0) {
    add_with_centred(x, out);
  } else {
    add_sparse(x, out);
  }
  end(constant, sum_of_squares({out.values.data() + 1, out.size - 1}), out);
}

void OnlineScaler::add_sparse(const FeatureView& x, ScaledInstance& out) const {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  const double* features = features_.data();
  const std::size_t known_features = known();
  const bool alike_scales = own_ == 0;
  const double factor = factor_;
  const double idf = idf_;
  FeatureView::Index* indices = out.indices.data();
  double* values = out.values.data();
  std::size_t size = out.size;
  x.for_each([&](FeatureView::Index i, double value) {
    if (i >= known_features) return;
    const Feature seen{features[per_feature * i], features[per_feature * i + 1]};
    const double scaled = alike_scales ? value * factor : value * factor / own_part(seen);
    indices[size] = i + 1;
    values[size] = clipped(scaled) * (1 + idf * (log_rounds - log_of(seen.count)));
    size += seen.squares > 0 ? 1 : 0;
  });
  out.size = size;
}

/// `count`, then `scale`, in one pass. REQUIRES: x is sparse, and no feature is centred, ignored or scaled by
/// its own size.
void OnlineScaler::count_and_scale(const FeatureView& x, double constant, ScaledInstance& out) {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  const double factor = factor_;
  const double idf = idf_;
  double* features = features_.data();
  begin(constant, x.size(), out);
  FeatureView::Index* indices = out.indices.data();
  double* values = out.values.data();
  std::size_t size = out.size;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const FeatureView::Index i = x.indices()[k];
    const double value = x.values()[k];
    double* feature = features + per_feature * i;
    const double count = feature[0] + (value != 0 ? 1 : 0);
    const double squares = feature[1] + value * value;
    feature[0] = count;
    feature[1] = squares;
    indices[size] = i + 1;
    values[size] = clipped(value * factor) * (1 + idf * (log_rounds - log_of(count)));
    size += squares > 0 ? 1 : 0;
  }
  out.size = size;
  end(constant, sum_of_squares({out.values.data() + 1, out.size - 1}), out);
}

/// A centred feature is there even if x does not have it.
void OnlineScaler::add_with_centred(const FeatureView& x, ScaledInstance& out) const {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  std::size_t next = 0;
  const std::size_t centred = std::min<std::size_t>(centred_, known());
  const auto add_absent_until = [&](std::size_t i) {
    for (; next < std::min(i, centred); ++next) {
      const Feature seen = feature(next);
      if (is_centred(next, seen)) out.add(next, centred_value(next, 0, seen));
    }
  };
  x.for_each([&](FeatureView::Index i, double value) {
    if (value == 0 || i >= known()) return;
    add_absent_until(i);
    if (next == i) ++next;
    const Feature seen = feature(i);
    if (!(seen.squares > 0)) return;
    if (is_centred(i, seen)) {
      out.add(i, centred_value(i, value, seen));
    } else {
      const double scaled = own_ == 0 ? value * factor_ : value * factor_ / own_part(seen);
      out.add(i, clipped(scaled) * (1 + idf_ * (log_rounds - log_of(seen.count))));
    }
  });
  add_absent_until(centred);
}

bool OnlineScaler::consistent() const {
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  bool counted = true;
  for (std::size_t i = 0; i < known(); ++i) {
    const Feature seen = feature(i);
    counted = counted && seen.count >= 0 && seen.count <= static_cast<double>(rounds_) && seen.squares >= 0;
  }
  return counted && rounds_ <= (std::uint64_t{1} << 62) && features_.size() % per_feature == 0 &&
         sums_.size() == centred_ && study_.size() == 6 && study_[0] >= 0 && is_share(own_) &&
         4 * own_ == std::floor(4 * own_) && is_share(idf_) && factor_ > 0 &&
         (fixed_ == 0 || known() <= fixed_);
}

}  // namespace askfew

#include "askfew/composed/online_scaler.h"

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "askfew/composed/count_logs.h"
#include "askfew/core/errors.h"
#include "askfew/linalg/sparse.h"
#include "askfew/linalg/update_size.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

constexpr double least_variance = 1e-8;   // of a centred feature, in its mean square
constexpr double alike = 0.5;             // deviation of l up to which scales are alike
constexpr double differing = 1;           // deviation of l from which every feature has its own size
constexpr double least_deviation = 1e-6;  // deviations below this, squared and in mean squares, tell nothing
constexpr double full_slope = 0.25;       // slope of l over H from which the values have idf already
constexpr int study_bits = 6;  // an instance is studied if its round has no bit after its leading 6

bool is_studied(std::uint64_t round) {
  const int low_bits = static_cast<int>(std::bit_width(round)) - study_bits;
  return low_bits <= 0 || (round & ((std::uint64_t{1} << low_bits) - 1)) == 0;
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

/// rho: how much of a feature's size is its own, in quarters, where the sizes' logarithms have this variance.
double share_of_own(double variance) {
  const double deviation = std::sqrt(std::max(0.0, variance));
  const double own = std::clamp((deviation - alike) / (differing - alike), 0.0, 1.0);
  return std::floor(4 * own + 0.5) / 4;
}

/// size^own, in quarters. Roots instead of powers: they are much faster.
double part_of(double size, double own) {
  if (own == 0) return 1;
  if (own == 1) return size;
  const double root = std::sqrt(size);
  if (own == 0.5) return root;
  return own == 0.25 ? std::sqrt(root) : root * std::sqrt(root);
}

constexpr std::size_t word_bits = 64;

std::size_t words_for(std::size_t bits) {
  return (bits + word_bits - 1) / word_bits;
}
void set_bit(std::vector<std::uint64_t>& words, std::size_t bit) {
  words[bit / word_bits] |= std::uint64_t{1} << (bit % word_bits);
}
bool has_bit(const std::vector<std::uint64_t>& words, std::size_t bit) {
  return (words[bit / word_bits] >> (bit % word_bits) & 1) != 0;
}

double clipped(double value) {
  return std::min(largest_scaled, std::max(-largest_scaled, value));
}

/// Begins an instance of at most `most` features with the constant.
void begin(double constant, std::size_t most, bool has_places, ScaledInstance& out) {
  if (out.indices.size() < 1 + most) {
    out.indices.resize(1 + most);
    out.values.resize(1 + most);
  }
  out.has_places = has_places;
  if (has_places) {
    if (out.places.size() < 1 + most) out.places.resize(1 + most);
    out.places[0] = 0;
  }
  out.indices[0] = 0;
  out.values[0] = constant;
  out.size = 1;
  out.not_placed = 0;
}

/// s^(-norm/2). Roots instead of a power for the norm of the default: they are much faster.
double inverse_length(double s, double norm) {
  if (norm == 1) return 1 / std::sqrt(s);
  if (norm != 0.75) return math::pow(s, -norm / 2);
  const double root = std::sqrt(std::sqrt(s));
  return 1 / (root * std::sqrt(root));
}
/// s^(-(1 - norm)/2).
double inverse_rest(double s, double norm) {
  return norm == 0.75 ? 1 / std::sqrt(std::sqrt(std::sqrt(s))) : math::pow(s, (norm - 1) / 2);
}

}  // namespace

OnlineScaler::OnlineScaler(const Options& options)
    : options_(options),
      places_(options.grows ? options.order : FeaturePlaces::Order::index, options.most_features,
              options.placed_at_once),
      centred_(!options.grows && options.dimension <= max_centred ? options.dimension : 0),
      fixed_(!options.grows && options.fixed ? options.dimension : 0),
      records_(1, {.variance = options.variance}),
      sums_(centred_),
      frequent_(words_for(centred_)) {}

void OnlineScaler::see(const FeatureView& x, double constant, ScaledInstance& out) {
  expect_update(x.squared_norm());
  const FeatureView::Index extent = extent_of(x);
  if (extent > known()) records_.resize(records_with(x), {.variance = options_.variance});
  ++rounds_;
  const auto count_of = [&](std::size_t i) { return i < known() ? feature(i).count : 0; };
  if (places_.see(x, count_of)) follow_features();
  double squares = 0;
  if (centred_ == 0 && fixed_ == 0 && !places_.are_given() && !is_studied(rounds_)) {  // in one pass
    const std::size_t n = begin_sparse(x, constant, out);
    squares = out.take(count_and_scale_values(records_.data(), out.indices.data() + 1, x.values(), n,
                                              scaling(), out.values.data() + 1));
  } else {
    count(x, extent);
    if (is_studied(rounds_)) study(x);
    if (is_studied(rounds_) && options_.grows) study_deviations();
    squares = scale_features(x, constant, out);
  }
  norms_ += squares;
  end(constant, squares, out);
}

void OnlineScaler::follow_features() {
  if (!options_.grows) return;
  centred_ = features() <= max_centred ? places_.size() : 0;
  const std::size_t before = sums_.size();
  sums_.resize(centred_);
  // A feature may have come before it has a place. The sign of its value was not kept.
  for (std::size_t place = before; place < centred_; ++place)
    sums_[place] = std::sqrt(feature_at(place).squares);
  frequent_.resize(words_for(centred_));
}

template <class F>
void OnlineScaler::for_each_frequent_or(const std::vector<std::uint64_t>& more, F&& f) const {
  for (std::size_t w = 0; w < std::max(more.size(), frequent_.size()); ++w) {
    std::uint64_t bits = (w < more.size() ? more[w] : 0) | (w < frequent_.size() ? frequent_[w] : 0);
    for (; bits != 0; bits &= bits - 1) f(word_bits * w + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

Centring OnlineScaler::centring() const {
  const bool may_centre = places_.are_by_index() || is_settled();
  return {.rounds = static_cast<double>(rounds_),
          .places = may_centre ? centred_ : 0,
          .needs_several_values = options_.grows,
          .sums = sums_};
}

void OnlineScaler::count(const FeatureView& x, FeatureView::Index extent) {
  const double half_of_rounds = 0.5 * static_cast<double>(rounds_);
  x.for_each([&](FeatureView::Index i, double value) {
    if (i >= extent) return;
    FeatureRecord& seen = records_[i + 1];
    seen.count += value != 0 ? 1 : 0;
    seen.squares += value * value;
    const FeatureView::Index place = places_.place_of(i);
    if (place >= centred_) return;
    if (seen.count > half_of_rounds) set_bit(frequent_, place);
    sums_[place] += value;
  });
}

void OnlineScaler::study(const FeatureView& x) {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  const Centring centred = centring();
  x.for_each([&](FeatureView::Index i, double value) {
    if (value == 0 || i >= known()) return;
    const FeatureRecord& seen = feature(i);
    if (seen.squares <= 0 || centred.has(places_.place_of(i), seen)) return;
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
  const double variance_l = study_[4] / n - mean_l * mean_l;
  const double covariance = study_[5] / n - mean_h * mean_l;
  const double slope = variance_h > 1e-4 ? covariance / variance_h : 0;
  own_ = share_of_own(variance_l);
  idf_ = std::clamp(1 - (1 - own_) * slope / full_slope, 0.0, 1.0);
  factor_ = math::exp(-(1 - own_) * mean_l);
}

double OnlineScaler::variance_of(std::size_t place, const FeatureRecord& seen) const {
  const auto rounds = static_cast<double>(rounds_);
  const double mean = sums_[place] / rounds;
  const double square = seen.squares / rounds;
  return std::max(square - mean * mean, least_variance * square);
}

double OnlineScaler::centred_value(std::size_t place, double value, const FeatureRecord& seen) const {
  const double variance = variance_of(place, seen);
  if (!(variance > 0)) return 0;
  const double difference = value - sums_[place] / static_cast<double>(rounds_);
  if (own_deviation_ == 1) return clipped(difference / std::sqrt(variance));
  return clipped(difference * deviation_factor_ / part_of(std::sqrt(variance), own_deviation_));
}

double OnlineScaler::own_part(const FeatureRecord& seen) const {
  return part_of(std::sqrt(seen.squares / seen.count), own_);
}

/// How much the deviations of the centred features differ.
void OnlineScaler::study_deviations() {
  double n = 0;
  double sum = 0;
  double squares = 0;
  const Centring centred = centring();
  for_each_frequent_or({}, [&](std::size_t place) {
    const FeatureRecord& seen = feature_at(place);
    if (!centred.has(place, seen)) return;
    const double variance = variance_of(place, seen);
    if (!(variance * static_cast<double>(rounds_) > least_deviation * seen.squares)) return;
    const double l = math::log(variance) / 2;
    ++n;
    sum += l;
    squares += l * l;
  });
  if (n == 0) return;
  const double mean = sum / n;
  own_deviation_ = share_of_own(squares / n - mean * mean);
  deviation_factor_ = math::exp(-(1 - own_deviation_) * mean);
}

void OnlineScaler::scale(const FeatureView& x, double constant, ScaledInstance& out) const {
  end(constant, scale_features(x, constant, out), out);
}

double OnlineScaler::scale_features(const FeatureView& x, double constant, ScaledInstance& out) const {
  const bool has_places = places_.are_given();
  if (centred_ > 0 || has_places) {
    begin(constant, x.size() + (has_places ? places_.size() : centred_), has_places, out);
    return scale_by_places(x, out);
  }
  const std::size_t n = begin_sparse(x, constant, out);
  return out.take(
      scale_values(records_.data(), out.indices.data() + 1, x.values(), n, scaling(), out.values.data() + 1));
}

Scaling OnlineScaler::scaling() const {
  return {.factor = factor_,
          .own = own_,
          .most = 1 + idf_ * count_logs()(static_cast<double>(rounds_)),
          .idf = idf_,
          .rare = options_.rare};
}

std::size_t OnlineScaler::begin_sparse(const FeatureView& x, double constant, ScaledInstance& out) const {
  begin(constant, x.size(), false, out);
  const std::size_t n = x.is_dense() ? std::min(x.size(), known()) : features_below(x, known());
  FeatureView::Index* indices = out.indices.data() + 1;
  if (x.is_dense()) {
    std::iota(indices, indices + n, FeatureView::Index{1});
  } else {
    add_one(x.indices(), n, indices);
  }
  out.size = 1 + n;
  out.placed = out.size;
  return n;
}

/// Divides by |v|^norm q^(1 - norm), and adds the constant's parts.
void OnlineScaler::end(double constant, double squares, ScaledInstance& out) const {
  out.factor = factor_of(squares);
  const double f = out.factor;
  out.squared_norm = constant * constant + (options_.norm == 1 ? (squares > 0 ? 1 : 0) : squares * f * f);
  out.not_placed *= f * f;
  out.take(out.with_constant(constant, records_[0], {.margin = out.margin, .spread = out.spread}));
}

double OnlineScaler::factor_of(double squares) const {
  if (!(squares > 0)) return 1;
  const double norm = norms_ > 0 ? options_.norm : 1;
  const double inverse = inverse_length(squares, norm);
  return norm == 1 ? inverse : inverse * inverse_rest(norms_ / static_cast<double>(rounds_), norm);
}

/// In the order of places: a centred feature is there even if x does not have it.
double OnlineScaler::scale_by_places(const FeatureView& x, ScaledInstance& out) const {
  const CountLogs& log_of = count_logs();
  const double log_rounds = log_of(static_cast<double>(rounds_));
  const std::size_t places = out.has_places ? places_.size() : std::min<std::size_t>(centred_, known());
  if (out.given.size() < places) out.given.resize(places);
  out.present.assign(words_for(places), 0);
  const bool are_few = features() <= options_.placed_at_once && is_settled();
  const double idf = are_few ? idf_ * options_.idf_of_few : idf_;
  const double worth_of_once = places_.worth_of_once();
  const Centring centred = centring();
  const auto add = [&](std::size_t i, std::size_t place, double value) {
    const FeatureRecord& seen = feature(i);
    if (centred.has(place, seen)) {
      out.add(i, place, centred_value(place, value, seen));
    } else if (value != 0 && seen.squares > 0) {
      const double scaled = own_ == 0 ? value * factor_ : value * factor_ / own_part(seen);
      out.add(i, place,
              clipped(scaled) * (1 + idf * (log_rounds - log_of(seen.count))) *
                  damping(seen.count, options_.rare) * (seen.count == 1 ? worth_of_once : 1));
    }
  };
  x.for_each([&](FeatureView::Index i, double value) {
    const std::size_t place = places_.place_of(i);
    if (place >= places) return;
    out.given[place] = value;
    set_bit(out.present, place);
  });
  for_each_frequent_or(out.present, [&](std::size_t place) {
    add(places_.feature_at(place), place, has_bit(out.present, place) ? out.given[place] : 0);
  });
  out.placed = out.size;
  x.for_each([&](FeatureView::Index i, double value) {
    const std::size_t place = places_.place_of(i);
    if (place >= places && i < known()) add(i, place, value);
  });
  if (!out.has_places) out.placed = out.size;
  out.margin = 0;
  out.spread = 0;
  if (options_.variance > 0) {
    for (std::size_t k = 1; k < out.size; ++k) {
      const FeatureRecord& seen = records_[out.indices[k]];
      out.margin += seen.weight * out.values[k];
      out.spread += seen.variance * (out.values[k] * out.values[k]);
    }
  }
  out.not_placed = sum_of_squares({out.values.data() + out.placed, out.size - out.placed});
  return sum_of_squares({out.values.data() + 1, out.placed - 1}) + out.not_placed;
}

std::vector<double> OnlineScaler::counts() const {
  std::vector<double> counts;
  counts.reserve(2 * known());
  for (std::size_t i = 0; i < known(); ++i) {
    counts.push_back(feature(i).count);
    counts.push_back(feature(i).squares);
  }
  return counts;
}

void OnlineScaler::set_counts(const std::vector<double>& counts, const std::vector<FeatureView::Index>& order,
                              std::uint64_t found) {
  if (counts.size() % 2 != 0) throw ModelError("the scaler's counts are not two numbers per feature");
  records_.assign(1 + counts.size() / 2, {.variance = options_.variance});
  for (std::size_t i = 0; i < known(); ++i) {
    records_[i + 1].count = counts[2 * i];
    records_[i + 1].squares = counts[2 * i + 1];
  }
  places_.restore(order, found, known(), [&](std::size_t i) { return feature(i).count; });
  follow_features();
  frequent_.assign(frequent_.size(), 0);
  for (std::size_t place = 0; place < std::min<std::size_t>(centred_, known()); ++place) {
    if (feature_at(place).count > 0.5 * static_cast<double>(rounds_)) set_bit(frequent_, place);
  }
}

bool OnlineScaler::consistent() const {
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  bool counted = true;
  for (std::size_t i = 0; i < known(); ++i) {
    const FeatureRecord& seen = feature(i);
    counted = counted && seen.count >= 0 && seen.count <= static_cast<double>(rounds_) && seen.squares >= 0;
  }
  return counted && rounds_ <= (std::uint64_t{1} << 62) && norms_ >= 0 && sums_.size() == centred_ &&
         study_.size() == 6 && study_[0] >= 0 && is_share(own_) && 4 * own_ == std::floor(4 * own_) &&
         is_share(idf_) && factor_ > 0 && is_share(own_deviation_) &&
         4 * own_deviation_ == std::floor(4 * own_deviation_) && deviation_factor_ > 0 &&
         (fixed_ == 0 || known() <= fixed_);
}

}  // namespace askfew

#include "askfew/estimates/estimate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace askfew {

namespace {

double share(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

/// A figure before the first round, or of no prediction at all.
constexpr Estimated nothing_known{.value = 0, .interval = {0, 1}};

/// Recall and F fall with the false positives FP and with the false negatives FN.
double recall(double positives, double fp, double fn) {
  return share(positives - fp, positives - fp + fn);
}
double f1(double positives, double fp, double fn) {
  return share(2 * (positives - fp), 2 * positives - fp + fn);
}

/// Bounds of FP, FN and their sum.
struct MistakeBounds {
  Interval fp;
  Interval fn;
  Interval sum;

  /// The range of a figure that falls with both FP and FN: smallest where no mistake can be added, largest
  /// where none can be removed. Only the two ends need to be checked: between them the figures are monotone.
  template <class Figure>
  [[nodiscard]] Interval range(const Figure& figure) const {
    const auto with_fp = [&](double count) { return figure(count, std::min(fn.high, sum.high - count)); };
    const auto with_fn = [&](double count) { return figure(std::min(fp.high, sum.high - count), count); };
    const auto from_fp = [&](double count) { return figure(count, std::max(fn.low, sum.low - count)); };
    const auto from_fn = [&](double count) { return figure(std::max(fp.low, sum.low - count), count); };
    return {.low = std::min(with_fp(std::min(fp.high, sum.high - fn.low)),
                            with_fn(std::min(fn.high, sum.high - fp.low))),
            .high = std::max(from_fp(std::max(fp.low, sum.low - fn.high)),
                             from_fn(std::max(fn.low, sum.low - fp.high)))};
  }
};

/// Two neighbouring values between which `holds` changes from true to false, at most 1e-14 apart.
template <class Holds>
std::pair<double, double> last_before(double low, double high, const Holds& holds) {
  while (high - low > 1e-14) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return {low, high};
}

/// A value outside the interval is moved to the nearer end.
Estimated estimated(double value, Interval interval) {
  return {.value = std::clamp(value, interval.low, std::max(interval.low, interval.high)),
          .interval = interval};
}

}  // namespace

CountSequence ConfusionEstimate::mistakes() const {
  CountSequence all = false_positives_;
  all.merge(false_negatives_);
  return all;
}

Estimated ConfusionEstimate::error(double alpha) const {
  if (rounds() == 0) return nothing_known;
  const auto all = static_cast<double>(rounds());
  const Interval bounds = mistakes().bounds(alpha, rounds(), uncovered());
  const double value = false_positives_.value(positives_.rounds) + false_negatives_.value(negatives_.rounds);
  return estimated(share(value, all), {share(bounds.low, all), share(bounds.high, all)});
}

Interval ConfusionEstimate::expected_error(double alpha) const {
  const auto all = static_cast<double>(rounds());
  const Interval bounds = mistakes().expected_bounds(alpha, rounds(), uncovered());
  return {share(bounds.low, all), share(bounds.high, all)};
}

/// F is at least f if and only if FP + b FN <= P (1 - b), b = f/(2 - f), where P is the number of positive
/// predictions. So each f is tested by itself, from both sides, which share alpha like the bounds of a
/// count. What refutes f from one side refutes all values beyond it: the values that are not refuted are an
/// interval. REQUIRES: there is a positive prediction.
Interval ConfusionEstimate::f1_interval(double alpha) const {
  const auto positives = static_cast<double>(positives_.rounds);
  const Interval fp = false_positives_.possible(positives_.rounds);
  const Interval fn = false_negatives_.possible(negatives_.rounds);
  const auto is_too_high = [&](double f) {
    return false_positives_.refutes_at_most(positives, false_negatives_, f / (2 - f),
                                            CountSequence::low_share * alpha);
  };
  const auto is_too_low = [&](double f) {
    return false_positives_.refutes_at_least(positives, positives_.uncovered, false_negatives_,
                                             negatives_.uncovered, f / (2 - f),
                                             (1 - CountSequence::low_share) * alpha);
  };
  const double least = f1(positives, fp.high, fn.high);
  const double most = f1(positives, fp.low, fn.low);
  return {.low = is_too_low(least) ? last_before(least, most, is_too_low).first : least,
          .high = is_too_high(most) ? last_before(least, most, std::not_fn(is_too_high)).second : most};
}

Quality ConfusionEstimate::quality(double alpha) const {
  if (rounds() == 0) {
    return {.rounds = 0,
            .uncovered = 0,
            .error = nothing_known,
            .accuracy = nothing_known,
            .precision = nothing_known,
            .recall = nothing_known,
            .f1 = nothing_known};
  }
  Quality quality{.rounds = rounds(), .uncovered = uncovered()};
  quality.error = error(alpha);
  quality.accuracy = {.value = 1 - quality.error.value,
                      .interval = {1 - quality.error.interval.high, 1 - quality.error.interval.low}};
  if (positives_.rounds == 0) {
    // There is no precision. Recall and F are 0 if a positive was missed; without any positive there is none.
    const bool is_one_missed = false_negatives_.possible(negatives_.rounds).low > 0;
    quality.precision = nothing_known;
    quality.recall = quality.f1 = is_one_missed ? Estimated{.value = 0, .interval = {0, 0}} : nothing_known;
    return quality;
  }
  const auto positives = static_cast<double>(positives_.rounds);
  const double fp = false_positives_.value(positives_.rounds);
  const double fn = false_negatives_.value(negatives_.rounds);
  const auto of_fp = [&](double part) {
    return false_positives_.bounds(part, positives_.rounds, positives_.uncovered);
  };
  const Interval alone = of_fp(alpha);
  // The sum is known more precisely than its parts: the sum gets half of alpha, and the parts share the other
  // half.
  const MistakeBounds bounds{
      .fp = of_fp(alpha / 4),
      .fn = false_negatives_.bounds(alpha / 4, negatives_.rounds, negatives_.uncovered),
      .sum = mistakes().bounds(alpha / 2, rounds(), uncovered())};
  const auto recall_at = [&](double wrong, double missed) { return recall(positives, wrong, missed); };

  quality.precision = estimated(share(positives - fp, positives), {share(positives - alone.high, positives),
                                                                   share(positives - alone.low, positives)});
  quality.recall = estimated(recall_at(fp, fn), bounds.range(recall_at));
  quality.f1 = estimated(f1(positives, fp, fn), f1_interval(alpha));
  return quality;
}

std::uint64_t Estimate::usual_window(double floor, std::uint64_t least) {
  constexpr double fewest_audits = 50;  // with fewer audits a window says little
  return std::max(least, static_cast<std::uint64_t>(std::min(1e15, std::ceil(fewest_audits / floor))));
}

// Slightly below the promised floor, because a probability equal to the floor may have been rounded down.
Estimate::Estimate(double floor, std::uint64_t window, std::uint64_t horizon, ForecastKind kind)
    : floor_(floor * (1 - 1e-9)),
      window_(window == 0 ? usual_window(floor) : window),
      grid_(std::make_shared<const CountGrid>(floor_, 0, kind)),
      forecast_(kind),
      whole_(horizon == 0 ? grid_ : std::make_shared<const CountGrid>(floor_, horizon, kind)),
      older_(grid_),
      newer_(grid_) {}

double Estimate::forecast_of(std::uint64_t round, Label prediction, double margin, double chance) const {
  constexpr double large = 0.5;  // the variance that a forecast could save is at most that of one such label
  if (chance < floor_ || chance >= large) return 0;
  return forecast_.of(round, prediction, margin);
}

void Estimate::add(const DecidedRound& round) {
  const std::uint64_t last_start = starts_ > 1 ? whole_.rounds() - newer_.rounds() : 0;
  if (whole_.rounds() - last_start >= std::max(window_, last_start / 4)) {
    if (starts_ > 1) older_ = newer_;
    newer_ = ConfusionEstimate(grid_);
    ++starts_;
  }
  const bool covered = round.asked || round.chance >= floor_;
  const std::uint64_t number = whole_.rounds() + 1;
  const double forecast = forecast_of(number, round.prediction, round.margin, round.chance);
  whole_.add(round.prediction, covered, forecast);
  older_.add(round.prediction, covered, forecast);
  if (starts_ > 1) newer_.add(round.prediction, covered, forecast);
  forecast_.add(number, round.margin);
}

void Estimate::at(std::uint64_t round, auto&& act) {
  act(whole_);
  if (round + older_.rounds() > whole_.rounds()) act(older_);
  if (round + newer_.rounds() > whole_.rounds()) act(newer_);
}

void Estimate::label(const AskedLabel& asked) {
  const double forecast = forecast_of(asked);
  at(asked.round, [&](ConfusionEstimate& estimate) { estimate.label(asked, forecast); });
  forecast_.learn(asked.round, asked.prediction, asked.margin, asked.prediction != asked.truth);
}

void Estimate::retract(const AskedLabel& asked) {
  const double forecast = forecast_of(asked);
  at(asked.round, [&](ConfusionEstimate& estimate) { estimate.retract(asked, forecast); });
  forecast_.unlearn(asked.round, asked.prediction, asked.margin, asked.prediction != asked.truth);
}

void Estimate::mark_missing(const AskedLabel& asked) {
  const double forecast = forecast_of(asked);
  at(asked.round, [&](ConfusionEstimate& estimate) { estimate.mark_missing(asked, forecast); });
}

void Estimate::mark_arrived(const AskedLabel& asked) {
  const double forecast = forecast_of(asked);
  at(asked.round, [&](ConfusionEstimate& estimate) { estimate.mark_arrived(asked, forecast); });
}

Quality Estimate::recent(double alpha) const {
  const auto k = static_cast<double>(std::max<std::uint64_t>(1, starts_ - 1));
  return older_.quality(alpha / (k * (k + 1)));
}

}  // namespace askfew

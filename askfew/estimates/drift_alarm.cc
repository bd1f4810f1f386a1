#include "askfew/estimates/drift_alarm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "askfew/core/expects.h"
#include "askfew/math/elementary.h"

namespace askfew {

namespace {

// Least and largest number of earlier distances to compare with.
constexpr std::size_t fewest_distances = 4;
constexpr std::size_t max_distances = 8;

double spend(double alpha, std::uint64_t k) {
  const auto place = static_cast<double>(k);
  return alpha / (place * (place + 1));
}

/// The factors c > 0 that remain.
struct Factors {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

/// The factors with G(c x) >= F(x) - distance for all x. It is enough to check the points of f, where F
/// rises: c x must reach the quantile of G there.
Factors keep_above(const std::vector<double>& f, const std::vector<double>& g, double distance) {
  constexpr Factors none{.least = std::numeric_limits<double>::infinity(), .most = 0};
  Factors factors;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double level = static_cast<double>(i + 1) / static_cast<double>(f.size()) - distance;
    if (level <= 0) continue;
    const auto rank = static_cast<std::size_t>(std::ceil(level * static_cast<double>(g.size()) - 1e-9));
    const double quantile = g[std::max<std::size_t>(rank, 1) - 1];
    if (f[i] > 0) {
      factors.least = std::max(factors.least, quantile / f[i]);
    } else if (f[i] < 0) {
      if (quantile >= 0) return none;
      factors.most = std::min(factors.most, quantile / f[i]);
    } else if (quantile > 0) {
      return none;
    }
  }
  return factors;
}

}  // namespace

std::string_view text_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::error_up:
      return "error_up";
    case ChangeKind::error_down:
      return "error_down";
    case ChangeKind::margins:
      break;
  }
  return "margins";
}

bool same_up_to_scale(const std::vector<double>& f, const std::vector<double>& g, double distance) {
  EXPECTS(!f.empty() && !g.empty());
  const Factors one = keep_above(f, g, distance);
  const Factors other = keep_above(g, f, distance);  // factors for 1/c
  const double least = std::max(one.least, 1 / other.most);
  const double most = std::min(one.most, 1 / other.least);
  return least <= most && most > 0 && least < std::numeric_limits<double>::infinity();
}

double distance_up_to_scale(const std::vector<double>& f, const std::vector<double>& g) {
  double low = 0;
  double high = 1;
  while (high - low > 1e-3) {
    const double middle = (low + high) / 2;
    (same_up_to_scale(f, g, middle) ? high : low) = middle;
  }
  return low;
}

ErrorAlarm::ErrorAlarm(double floor, std::uint64_t window, double alpha)
    : grid_(std::make_shared<const CountGrid>(floor * (1 - 1e-9))),  // as in Estimate
      window_(window),
      alpha_(alpha),
      before_(grid_),
      older_(grid_),
      newer_(grid_) {
  EXPECTS(window >= 1);
  before_.index = 1;
}

void ErrorAlarm::at(std::uint64_t round, auto&& act) {
  for (Stretch* stretch : {&before_, &older_, &newer_}) {
    if (stretch->index > 0 && round > stretch->start) act(stretch->counts);
  }
  for (Stretch* stretch : {&older_, &newer_}) {
    if (stretch->past.index == 0 || round > stretch->start || round <= stretch->past.start) continue;
    act(stretch->past.counts);
    stretch->is_stale = true;
  }
}

void ErrorAlarm::label(const AskedLabel& asked) {
  at(asked.round, [&](ConfusionEstimate& counts) { counts.label(asked); });
}

void ErrorAlarm::retract(const AskedLabel& asked) {
  at(asked.round, [&](ConfusionEstimate& counts) { counts.retract(asked); });
}

void ErrorAlarm::mark_missing(const AskedLabel& asked) {
  at(asked.round, [&](ConfusionEstimate& counts) { counts.mark_missing(asked); });
}

void ErrorAlarm::mark_arrived(const AskedLabel& asked) {
  at(asked.round, [&](ConfusionEstimate& counts) { counts.mark_arrived(asked); });
}

void ErrorAlarm::add(Label prediction, bool covered) {
  for (Stretch* stretch : {&before_, &older_, &newer_}) {
    if (stretch->index > 0) stretch->counts.add(prediction, covered);
  }
  ++rounds_;
}

std::optional<Change> ErrorAlarm::check() {
  std::optional<Change> change;
  if (rounds_ % std::max<std::uint64_t>(1, window_ / 16) == 0) {
    change = compare(older_);
    if (!change) change = compare(newer_);
  }
  if (rounds_ % window_ == 0) start_stretch();
  return change;
}

Interval ErrorAlarm::error_of(const Span& span) const {
  return span.counts.expected_error(spend(alpha_, span.index));
}

void ErrorAlarm::learn_past(Stretch& stretch) {
  const Interval error = error_of(stretch.past);
  stretch.least = error.low;
  stretch.most = error.high;
  stretch.is_stale = false;
}

void ErrorAlarm::start_stretch() {
  older_ = newer_;
  newer_ = Stretch(grid_);
  newer_.start = rounds_;
  newer_.index = ++starts_;
  newer_.past = static_cast<const Span&>(before_);
  learn_past(newer_);
}

std::optional<Change> ErrorAlarm::compare(Stretch& stretch) {
  if (stretch.index == 0) return std::nullopt;
  if (stretch.is_stale) learn_past(stretch);
  const Interval error = error_of(stretch);
  const bool up = error.low > stretch.most;
  if (!up && error.high >= stretch.least) return std::nullopt;
  const Change change{
      .kind = up ? ChangeKind::error_up : ChangeKind::error_down, .round = rounds_, .since = stretch.start};
  // The changed stretch is now the reference for later stretches.
  before_ = Stretch(stretch);
  older_ = Stretch(grid_);
  newer_ = Stretch(grid_);
  return change;
}

MarginAlarm::MarginAlarm(std::uint64_t window, double alpha) : window_(window), alpha_(alpha) {
  EXPECTS(window >= 2);
  before_.reserve(window);
  now_.reserve(window);
  distances_.reserve(max_distances + 1);
}

std::optional<Change> MarginAlarm::add(double margin, double norm) {
  now_.push_back(norm > 0 ? margin / norm : 0);
  if (now_.size() < window_) return std::nullopt;
  ++windows_;
  std::sort(now_.begin(), now_.end());
  std::optional<Change> change;
  if (windows_ > 1 && !before_.empty()) {
    const double distance = distance_up_to_scale(before_, now_);
    if (is_far(distance)) {
      change =
          Change{.kind = ChangeKind::margins, .round = windows_ * window_, .since = (windows_ - 1) * window_};
    }
    distances_.push_back(distance);
    if (distances_.size() > max_distances) distances_.erase(distances_.begin());
  }
  before_.swap(now_);
  now_.clear();
  return change;
}

bool MarginAlarm::is_far(double distance) const {
  if (distances_.size() < fewest_distances) return false;
  const double usual = *std::max_element(distances_.begin(), distances_.end());
  const double chance =
      std::sqrt((1 - math::log(spend(alpha_, windows_ - 1))) / static_cast<double>(window_));
  return distance > chance + 0.1 && distance > 1.5 * usual;
}

}  // namespace askfew

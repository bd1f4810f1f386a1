#include "askfew/estimates/calibration.h"

#include <algorithm>
#include <cmath>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"
#include "askfew/math/logistic.h"

namespace askfew {
namespace {

/// A label as the fit sees it.
struct Target {
  double margin = 0;
  double wanted = 0;  // Platt's target: not quite 0 or 1
  double weight = 0;
};

/// The logistic loss of the targets, its gradient and its second derivatives.
struct Loss {
  double value = 0;
  double by_slope = 0, by_offset = 0;
  double slope_slope = 0, slope_offset = 0, offset_offset = 0;
};

Loss loss_of(const std::vector<Target>& targets, const PlattCurve& curve) {
  constexpr double ridge = 1e-12;  // keeps the matrix invertible if all margins are equal
  Loss loss{.slope_slope = ridge, .offset_offset = ridge};
  for (const auto& [margin, wanted, weight] : targets) {
    const double z = curve.slope * margin + curve.offset;
    const double p = math::sigmoid(z);
    // wanted log(1/p) + (1 - wanted) log(1/(1 - p)), without overflow
    loss.value += weight * (std::max(z, 0.0) - wanted * z + math::log1p(math::exp(-std::abs(z))));
    const double slope = weight * (p - wanted);
    const double bend = weight * p * (1 - p);
    loss.by_slope += slope * margin;
    loss.by_offset += slope;
    loss.slope_slope += bend * margin * margin;
    loss.slope_offset += bend * margin;
    loss.offset_offset += bend;
  }
  return loss;
}

/// Newton's method with halved steps (Lin, Lin and Weng 2007, algorithm 1). The loss is convex.
PlattCurve fit_curve(const std::vector<Target>& targets, PlattCurve curve) {
  constexpr int max_steps = 100;
  constexpr double small_gradient = 1e-10;
  constexpr double smallest_step = 1e-10;
  Loss loss = loss_of(targets, curve);
  for (int step = 0; step < max_steps; ++step) {
    if (std::max(std::abs(loss.by_slope), std::abs(loss.by_offset)) < small_gradient) break;
    const double determinant = loss.slope_slope * loss.offset_offset - loss.slope_offset * loss.slope_offset;
    const double slope =
        -(loss.offset_offset * loss.by_slope - loss.slope_offset * loss.by_offset) / determinant;
    const double offset =
        -(loss.slope_slope * loss.by_offset - loss.slope_offset * loss.by_slope) / determinant;
    const double descent = loss.by_slope * slope + loss.by_offset * offset;
    double size = 1;
    bool is_better = false;
    for (; size >= smallest_step && !is_better; size /= 2) {
      const PlattCurve next{.slope = curve.slope + size * slope, .offset = curve.offset + size * offset};
      const Loss there = loss_of(targets, next);
      is_better = there.value < loss.value + 1e-4 * size * descent;
      if (!is_better) continue;
      curve = next;
      loss = there;
    }
    if (!is_better) break;
  }
  return curve;
}

}  // namespace

double PlattCurve::at(double margin) const {
  return math::sigmoid(slope * margin + offset);
}

std::size_t Calibration::positives() const {
  return static_cast<std::size_t>(std::ranges::count_if(kept_, [](const Kept& k) { return k.weight > 0; }));
}

std::optional<PlattCurve> Calibration::curve() const {
  const std::size_t positives = this->positives();
  if (labels() < min_labels || std::min(positives, labels() - positives) < min_of_each) return std::nullopt;
  double sum = 0;
  double squares = 0;
  double of_positives = 0;
  for (const Kept& label : kept_) {
    sum += std::abs(label.weight);
    squares += label.weight * label.weight;
    of_positives += std::max(0.0, label.weight);
  }
  const double effective = sum * sum / squares;
  if (!(effective >= min_effective)) return std::nullopt;  // also if the squares overflow
  // The weights add up to the number of labels of weight 1 that would say as much.
  const double scale = effective / sum;
  const double up = of_positives * scale;
  const double down = effective - up;
  const double wanted_up = (up + 1) / (up + 2);
  const double wanted_down = 1 / (down + 2);
  std::vector<Target> targets;
  for (const Kept& label : kept_) {
    targets.push_back({.margin = label.margin,
                       .wanted = label.weight > 0 ? wanted_up : wanted_down,
                       .weight = std::abs(label.weight) * scale});
  }
  return fit_curve(targets, {.slope = 0, .offset = math::log((up + 1) / (down + 1))});
}

std::vector<double> Calibration::values() const {
  std::vector<double> values;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const Kept& label = kept_[(oldest_ + k) % kept_.size()];
    values.push_back(label.margin);
    values.push_back(label.weight);
  }
  return values;
}

void Calibration::set_values(const std::vector<double>& values) {
  if (values.size() % 2 != 0 || values.size() > 2 * max_kept) {
    throw ModelError("its calibration is not of pairs, or of too many");
  }
  kept_.clear();
  oldest_ = 0;
  for (std::size_t k = 0; k < values.size(); k += 2) {
    const Kept label{.margin = values[k], .weight = values[k + 1]};
    if (!std::isfinite(label.margin) || !std::isfinite(label.weight) || !(std::abs(label.weight) > 0.5)) {
      throw ModelError("its calibration has a label that nobody can have asked");
    }
    kept_.push_back(label);
  }
}

}  // namespace askfew

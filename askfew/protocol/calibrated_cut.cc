#include "askfew/protocol/calibrated_cut.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "askfew/math/elementary.h"
#include "askfew/math/logistic.h"

namespace askfew {
namespace {

constexpr double prior_slope = 3;
constexpr double least_slope = 0.3;
constexpr double least_f = 0.001;
constexpr double share_of_way = 0.5;
constexpr int max_steps = 30;
constexpr double last_step = 1e-10;

struct Fit {
  double slope = prior_slope;
  double offset = 0;

  [[nodiscard]] double operator()(double margin) const { return math::sigmoid(slope * margin + offset); }
};

/// Newton's method, with steps of at most 1.
Fit fitted(std::span<const LabelledMargin> asked, double size) {
  Fit fit;
  for (int step = 0; step < max_steps; ++step) {
    double by_slope = prior_slope - fit.slope;
    double by_offset = -fit.offset;
    double slopes = 1;
    double both = 0;
    double offsets = 1;
    for (const LabelledMargin& label : asked) {
      const double m = label.margin / size;
      const double p = fit(m);
      const double error = (label.positive ? 1 : 0) - p;
      const double curvature = p * (1 - p);
      by_slope += error * m;
      by_offset += error;
      slopes += curvature * m * m;
      both += curvature * m;
      offsets += curvature;
    }
    const double determinant = slopes * offsets - both * both;
    const double slope = (offsets * by_slope - both * by_offset) / determinant;
    const double offset = (slopes * by_offset - both * by_slope) / determinant;
    const double largest = std::max(std::abs(slope), std::abs(offset));
    const double part = largest > 1 ? 1 / largest : 1;
    fit.slope += part * slope;
    fit.offset += part * offset;
    if (largest < last_step) break;
  }
  fit.slope = std::max(fit.slope, least_slope);
  return fit;
}

/// REQUIRES: chances in descending order.
double best_expected_f(const std::vector<double>& chances) {
  double positives = 0;
  for (const double p : chances) positives += p;
  double found = 0;
  double called = 0;
  double best = least_f;
  for (const double p : chances) {
    found += p;
    called += 1;
    best = std::max(best, 2 * found / (called + positives));
  }
  return best;
}

double cut_for_f1(const Fit& fit, std::span<const double> margins, double size) {
  std::vector<double> chances;
  chances.reserve(margins.size());
  for (const double m : margins) chances.push_back(fit(m / size));
  std::sort(chances.begin(), chances.end(), std::greater<>());
  const double half = best_expected_f(chances) / 2;
  return share_of_way * size * (math::log(half / (1 - half)) - fit.offset) / fit.slope;
}

/// Calls f(cut, found, called) for the cuts between different margins, from large to small ones: the expected
/// number of positives above the cut, and the number of margins there.
template <class F>
void for_each_cut(const Fit& fit, const std::vector<double>& descending, double size, F&& f) {
  double found = 0;
  for (std::size_t k = 0; k < descending.size(); ++k) {
    found += fit(descending[k] / size);
    const double next = k + 1 < descending.size() ? descending[k + 1] : descending[k] - size;
    if (next < descending[k]) f((descending[k] + next) / 2, found, static_cast<double>(k + 1));
  }
}

/// REQUIRES: margins in descending order, some.
double cut_for_recall(const Fit& fit, const std::vector<double>& margins, double size, double level) {
  double positives = 0;
  for (const double m : margins) positives += fit(m / size);
  double best = margins.back() - size;
  bool reached = false;
  for_each_cut(fit, margins, size, [&](double cut, double found, double /*called*/) {
    if (!reached) best = cut;
    reached = reached || found >= level * positives;
  });
  return std::min(0.0, best);
}

/// REQUIRES: margins in descending order, some.
double cut_for_precision(const Fit& fit, const std::vector<double>& margins, double size, double level) {
  double best = margins.front();
  for_each_cut(fit, margins, size, [&](double cut, double found, double called) {
    if (found >= level * called) best = cut;
  });
  return std::max(0.0, share_of_way * best);
}

}  // namespace

double calibrated_cut(const Aim& aim, std::span<const LabelledMargin> asked,
                      std::span<const double> margins) {
  double squares = 0;
  for (const double m : margins) squares += m * m;
  const double size = std::sqrt(squares / static_cast<double>(margins.size()));
  if (!(size > 0) || !std::isfinite(size)) return 0;
  const Fit fit = fitted(asked, size);
  if (aim.kind == Aim::Kind::f1) return cut_for_f1(fit, margins, size);
  std::vector<double> descending(margins.begin(), margins.end());
  std::sort(descending.begin(), descending.end(), std::greater<>());
  return aim.kind == Aim::Kind::recall ? cut_for_recall(fit, descending, size, aim.level)
                                       : cut_for_precision(fit, descending, size, aim.level);
}

}  // namespace askfew

#include "askfew/estimates/learning_curve.h"

#include <algorithm>
#include <limits>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"

namespace askfew {

namespace {

constexpr double lost_mark = -1;

constexpr double fewest_labels = 100;

/// The contribution of a label to the variance.
double noise_of(double chance) {
  return (1 - chance) / (chance * chance);
}

/// The observed error in a bin.
struct Point {
  double labels = 0;  // labels spent at the middle of the bin
  double rounds = 0;
  double error = 0;
  double variance = 0;
};

/// The weighted squared errors of a power law with a fixed power, as a function of rest and scale. With x =
/// labels^-power they are quadratic in both.
class Squares {
 public:
  Squares(const std::vector<Point>& points, double power) : power_(power) {
    for (const Point& point : points) {
      const double w = 1 / point.variance;
      const double x = math::pow(point.labels, -power);
      w_ += w;
      x_ += w * x;
      y_ += w * point.error;
      xx_ += w * x * x;
      xy_ += w * x * point.error;
      yy_ += w * point.error * point.error;
    }
  }

  /// The law with this scale and the best rest >= 0.
  [[nodiscard]] PowerLaw law(double scale) const {
    return {.rest = std::max(0.0, (y_ - scale * x_) / w_), .scale = scale, .power = power_};
  }
  /// Its squared errors: convex in the scale.
  [[nodiscard]] double of(double scale) const {
    const double rest = law(scale).rest;
    return yy_ - 2 * (rest * y_ + scale * xy_) + rest * rest * w_ + 2 * rest * scale * x_ +
           scale * scale * xx_;
  }
  /// The best scale >= 0: the unconstrained solution, or the solution with rest 0.
  [[nodiscard]] double best_scale() const {
    const double determinant = w_ * xx_ - x_ * x_;
    if (determinant <= 1e-12 * w_ * xx_) return 0;  // only one point
    const double scale = std::max(0.0, (w_ * xy_ - x_ * y_) / determinant);
    return y_ >= scale * x_ ? scale : xy_ / xx_;
  }
  /// The scale between `best`, where the squares are below `limit`, and `other` at which the squares reach
  /// `limit`; `other` if they do not.
  [[nodiscard]] double reach(double limit, double best, double other) const {
    if (of(other) <= limit) return other;
    for (int k = 0; k < 50; ++k) {
      const double middle = (best + other) / 2;
      (of(middle) <= limit ? best : other) = middle;
    }
    return best;
  }

 private:
  double power_;
  double w_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0;
};

/// The squares for every power that is tried.
std::vector<Squares> all_powers(const std::vector<Point>& points) {
  std::vector<Squares> powers;
  for (int tenth = 1; tenth <= 20; ++tenth) powers.emplace_back(points, 0.1 * tenth);
  return powers;
}

struct Fit {
  PowerLaw law;
  double squares = std::numeric_limits<double>::infinity();
};

Fit fit(const std::vector<Squares>& powers) {
  Fit best;
  for (const Squares& squares : powers) {
    const double scale = squares.best_scale();
    if (squares.of(scale) < best.squares) best = {.law = squares.law(scale), .squares = squares.of(scale)};
  }
  return best;
}

}  // namespace

double PowerLaw::error(double labels) const {
  return rest + scale * math::pow(labels, -power);
}

/// Three numbers per bin, as in all versions. If labels have not come yet, there are four, and -1 at the end,
/// which no bin has: their rounds are still needed to find the bins of the labels.
std::vector<double> LearningCurve::Bins::values() const {
  std::vector<double> values;
  const bool has_lost = std::ranges::any_of(all(), [](const Bin& bin) { return bin.lost != 0; });
  for (const Bin& bin : all()) {
    values.insert(values.end(), {has_lost ? bin.rounds : bin.known(), bin.labels, bin.mistakes});
    if (has_lost) values.push_back(bin.lost);
  }
  if (has_lost) values.push_back(lost_mark);
  return values;
}

void LearningCurve::Bins::set_values(const std::vector<double>& values) {
  const bool has_lost = !values.empty() && values.back() == lost_mark;
  const std::size_t numbers = has_lost ? 4 : 3;
  const std::size_t size = values.size() - (has_lost ? 1 : 0);
  if (size == 0 || size % numbers != 0 || size > numbers * most) {
    throw ModelError("a learning curve has bins of another number");
  }
  used_ = size / numbers;
  for (std::size_t k = 0; k < used_; ++k) {
    const double* bin = values.data() + numbers * k;
    bins_[k] = {.rounds = bin[0], .labels = bin[1], .mistakes = bin[2], .lost = has_lost ? bin[3] : 0};
  }
}

LearningCurve::Bin& LearningCurve::Bins::of(std::uint64_t ago) {
  auto behind = static_cast<double>(ago);
  std::size_t k = used_ - 1;
  for (; k > 0 && behind >= bins_[k].rounds; --k) behind -= bins_[k].rounds;
  return bins_[k];
}

void LearningCurve::label(const Asked& asked) {
  const double noise = noise_of(asked.chance);
  max_noise_ = std::max(max_noise_, noise);
  if (asked.wrong) {
    bins_.of(asked.ago).mistakes += 1 / asked.chance;
    noise_ += noise;
  }
  Bin& now = bins_.last();
  ++labels_;
  ++now.labels;
  if (now.labels >= std::max(20.0, 0.15 * (labels_ - now.labels))) bins_.start_next();
}

void LearningCurve::retract(const Asked& asked) {
  if (asked.wrong) {
    bins_.of(asked.ago).mistakes -= 1 / asked.chance;
    noise_ -= noise_of(asked.chance);
  }
  --labels_;
  --bins_.last().labels;
}

std::optional<StopAdvice> LearningCurve::advice(double more) const {
  std::vector<Point> points;
  double rounds = 0;
  double mistakes = 0;
  double spent = 0;
  for (const Bin& bin : bins_.all()) {
    const double known = bin.known();
    if (known >= 1 && bin.labels > 0) {
      // Within the first bin the error changes too much: its middle is not representative.
      if (spent > 0) {
        points.push_back({.labels = spent + bin.labels / 2, .rounds = known, .error = bin.mistakes / known});
      }
      rounds += known;
      mistakes += bin.mistakes;
    }
    spent += bin.labels;
  }
  constexpr double none = 0.5;  // counts at least one mistake
  if (labels_ < fewest_labels || points.size() < 4 || mistakes < none) return std::nullopt;

  // The variance per round and per mistake, from the coins and from the instances. Includes one more mistake
  // than was seen, of the noisiest kind, because such a mistake may just have been missed.
  const double per_mistake = (noise_ + max_noise_) / mistakes + 1;
  Fit best{.law = {.rest = mistakes / rounds}};
  std::vector<Squares> powers;
  for (int pass = 0; pass < 3; ++pass) {
    for (Point& point : points) {
      point.variance =
          std::max(best.law.error(point.labels), 0.2 * mistakes / rounds) * per_mistake / point.rounds;
    }
    powers = all_powers(points);
    best = fit(powers);
  }

  // The laws that fit nearly as well: 5.99 is the 95% point of chi^2 with two degrees of freedom (scale and
  // power), times the excess scatter of the points.
  const double excess = std::max(1.0, best.squares / std::max(1.0, static_cast<double>(points.size()) - 3));
  const double limit = best.squares + 5.99 * excess;
  const double gain = best.law.gain(labels_, more);
  StopAdvice advice{.curve = best.law, .gain = gain, .interval = {.low = gain, .high = gain}};
  for (const Squares& squares : powers) {
    const double scale = squares.best_scale();
    if (squares.of(scale) > limit) continue;
    const double least = squares.reach(limit, scale, 0);
    const double most = squares.reach(limit, scale, points.back().labels * points.back().labels);
    advice.interval.low = std::min(advice.interval.low, squares.law(least).gain(labels_, more));
    advice.interval.high = std::max(advice.interval.high, squares.law(most).gain(labels_, more));
  }
  return advice;
}

}  // namespace askfew

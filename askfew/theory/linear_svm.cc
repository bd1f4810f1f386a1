#include "askfew/theory/linear_svm.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "askfew/linalg/sparse.h"

namespace askfew {
namespace {

class DualCoordinates {
 public:
  DualCoordinates(std::span<const FeatureView> x, std::span<const Label> y, const LinearSvmOptions& options)
      : x_(x), y_(y), c_(options.c), random_(options.seed), order_(x.size()), alpha_(x.size()) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  /// One pass over the examples.
  void descend() {
    // Not std::shuffle, which differs between standard libraries.
    for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_() % k]);
    for (const std::size_t i : order_) descend(i);
  }

  /// The objectives of w and of alpha; the optimum is between them.
  void measure(LinearSvm& svm) const {
    double loss = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) loss += std::max(0.0, 1 - sign(y_[i]) * dot(w_, x_[i]));
    const double half = FeatureView::sum_of_squares(w_) / 2;
    svm.objective = half + c_ * loss;
    svm.gap = svm.objective - (std::accumulate(alpha_.begin(), alpha_.end(), 0.0) - half);
  }

  [[nodiscard]] std::vector<double> take_weights() { return std::move(w_); }

 private:
  void descend(std::size_t i) {
    const double xx = x_[i].squared_norm();
    const double slope = sign(y_[i]) * dot(w_, x_[i]) - 1;
    // A zero vector has a loss for every w: its weight costs nothing, and c is the best weight.
    const double best = xx == 0 ? c_ : std::clamp(alpha_[i] - slope / xx, 0.0, c_);
    const double change = best - alpha_[i];
    if (change == 0) return;
    alpha_[i] = best;
    add_scaled(w_, change * sign(y_[i]), x_[i]);
  }

  std::span<const FeatureView> x_;
  std::span<const Label> y_;
  double c_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
  std::vector<double> alpha_;
  std::vector<double> w_;
};

}  // namespace

LinearSvm fit_linear_svm(std::span<const FeatureView> x, std::span<const Label> y,
                         const LinearSvmOptions& options) {
  EXPECTS(x.size() == y.size());
  DualCoordinates dual(x, y, options);
  LinearSvm svm;
  do {
    dual.descend();
    dual.measure(svm);
    ++svm.epochs;
  } while (svm.gap > options.tolerance * svm.objective && svm.epochs < options.max_epochs);
  svm.w = dual.take_weights();
  return svm;
}

}  // namespace askfew

#pragma once

#include <span>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/deferred_symmetric.h"
#include "askfew/linalg/dense.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The core of the second-order learners (see primal.h) with P = g I + F B F' over the n stored examples F:
/// for sparse instances of many features, and for kernels. B is n x n, g starts at scale and grows by the
/// noise.
///
///   k = F'x,  kk = x.x,  r = (g + noise) kk + k'Bk,  Qx = (g + noise) x + F Bk
///   update  x is stored, z = (Bk, g + noise);  w += F z (y - w.x)/(1 + r);  B -= z z'/(1 + r)
///
/// A Basis stores the examples and w: `score(x)` is w.x, `self(x)` kk, `products(x)` k, and `extend(x, z,
/// step)` stores x and adds step F z to w. Cost: score as the Basis does it, spread and update O(n^2) and k.
template <class Basis>
class DualCovariance {
 public:
  DualCovariance(const CovariancePrior& start, Basis basis, const Setting& setting)
      : noise_(start.noise), g_(start.scale), basis_(std::move(basis)), b_(0, MemoryShare(setting.memory)) {}

  /// How many examples are stored.
  [[nodiscard]] std::size_t size() const { return b_.size(); }
  [[nodiscard]] double score(const FeatureView& x) const { return basis_.score(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return basis_.self(x); }
  [[nodiscard]] double spread(const FeatureView& x) const {
    const double quadratic = b_.quadratic(FeatureView::dense(basis_.products(x)));
    return checked_spread((g_ + noise_) * basis_.self(x) + quadratic, spread_bound(x));
  }
  /// Never below spread(x): B is negative semidefinite.
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding((g_ + noise_) * basis_.self(x));
  }
  void update(const FeatureView& x, double y) {
    g_ += noise_;
    const double error = y - score(x);
    const std::span<const double> k = basis_.products(x);
    z_.resize(k.size() + 1);
    const std::span<double> bk = std::span(z_).first(k.size());
    b_.multiply(FeatureView::dense(k), bk);
    z_.back() = g_;
    const double quadratic = dense_dot(bk.data(), k.data(), k.size());
    const double r = checked_spread(g_ * basis_.self(x) + quadratic, with_rounding(g_ * basis_.self(x)));
    b_.grow(z_.size());
    basis_.extend(x, z_, error / (1 + r));
    b_.subtract_outer(z_, 1 / (1 + r));
    if (b_.waiting() == 0) check_health(spread(x) - noise_ * basis_.self(x), r);  // once a block
  }

  /// How much memory it takes to learn x.
  [[nodiscard]] std::size_t growth(const FeatureView& x) const {
    return b_.growth(b_.size() + 1) + basis_.growth(x);
  }

  void read_ahead(std::span<const FeatureView> upcoming)
    requires requires(Basis& basis) { basis.read_ahead(upcoming); }
  {
    basis_.read_ahead(upcoming);
  }

  [[nodiscard]] double identity() const { return g_; }
  [[nodiscard]] Basis& basis() { return basis_; }
  [[nodiscard]] const Basis& basis() const { return basis_; }
  [[nodiscard]] DeferredSymmetric& matrix() { return b_; }

  static void state(auto& self, auto& visit) {
    visit("g", self.g_);
    visit("basis", self.basis_);
    visit("B", self.b_);
  }
  [[nodiscard]] bool consistent() const {
    return b_.consistent() && basis_.consistent() && basis_.size() == b_.size();
  }

 private:
  double noise_;
  double g_;
  Basis basis_;
  DeferredSymmetric b_;
  std::vector<double> z_;
};

}  // namespace askfew

#pragma once

#include <span>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/deferred_symmetric.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/update_size.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The core of the second-order learners (see primal.h) with P = g I + F B F' over the n stored examples F:
/// for sparse instances of many features, and for kernels. B is n x n, g starts at scale and grows by the
/// noise.
///
///   k = F'x,  kk = x.x,  r = (g + noise) kk + k'Bk,  Qx = (g + noise) x + F Bk
///   update  x is stored, z = (Bk, g + noise);  w += F z (y - w.x)/(1 + r);  B -= z z'/(1 + r)
///
/// A Basis stores the examples and w: `score(x)` is w.x, `self(x)` kk, `products(x)` k in borrowed room,
/// `reserve(x)` takes the memory to store x, and `extend(x, z, step)` stores x and adds step F z to w. Cost:
/// score as in the Basis; spread and update O(n^2) plus the cost of k. Many threads may call const members at
/// the same time.
template <class Basis>
class DualCovariance {
 public:
  DualCovariance(const CovariancePrior& start, Basis basis, const Setting& setting)
      : noise_(start.noise), g_(start.scale), basis_(std::move(basis)), b_(0, MemoryShare(setting.memory)) {}

  /// The number of stored examples.
  [[nodiscard]] std::size_t size() const { return b_.size(); }
  [[nodiscard]] double score(const FeatureView& x) const { return basis_.score(x); }
  [[nodiscard]] double squared_norm(const FeatureView& x) const { return basis_.self(x); }
  [[nodiscard]] double spread(const FeatureView& x) const { return spread(x, basis_.products(x).values); }
  /// Never below spread(x): B is negative semidefinite.
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding((g_ + noise_) * basis_.self(x));
  }

  // The two halves of an update, as in PrimalCovariance.
  void prepare(const FeatureView& x, double y) {
    const double g = g_ + noise_;
    const double self = basis_.self(x);
    expect_update(g);
    expect_update(self);
    expect_update(g * self);
    const double error = y - score(x);
    {
      const auto products = basis_.products(x);
      const std::span<const double> k = products.values;
      z_.resize(k.size() + 1);
      const std::span<double> bk = std::span(z_).first(k.size());
      b_.multiply(FeatureView::unchecked_dense(k), 0, bk);
      z_.back() = g;
      const double quadratic = dense_dot(bk.data(), k.data(), k.size());
      r_ = checked_spread(g * self + quadratic, with_rounding(g * self));
      if (b_.is_block_full_after_next()) check_health(r_, spread(x, k));  // once per block
    }
    step_ = error / (1 + r_);
    const double zz = dense_dot(z_.data(), z_.data(), z_.size());
    expect_update(step_, zz);
    expect_update(zz / (1 + r_));
    b_.reserve(z_.size());
    basis_.reserve(x);
  }
  void commit(const FeatureView& x) {
    basis_.extend(x, z_, step_);
    g_ += noise_;
    b_.grow(z_.size());
    b_.subtract_outer(z_, 1 / (1 + r_));
  }
  void update(const FeatureView& x, double y) {
    prepare(x, y);
    commit(x);
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
  [[nodiscard]] double spread(const FeatureView& x, std::span<const double> k) const {
    const double quadratic = b_.quadratic(FeatureView::unchecked_dense(k));
    return checked_spread((g_ + noise_) * basis_.self(x) + quadratic, spread_bound(x));
  }

  double noise_;
  double g_;
  Basis basis_;
  DeferredSymmetric b_;
  // State of the prepared update.
  std::vector<double> z_;
  double r_ = 0;
  double step_ = 0;
};

}  // namespace askfew

#pragma once

#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/deferred_symmetric.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The core of the second-order learners with P as a d x d matrix, for d up to a few thousand.
///
///   Q = P + noise I,  r = x'Qx
///   update  q = Qx;  w += q (y - w.x)/(1 + r);  P = Q - q q'/(1 + r)
///
/// Without noise this is A += x x', v += y x with A = P^-1, v = A w (Sherman and Morrison). Cost: score
/// O(nnz), spread O(nnz^2), update O(d nnz) plus the blocked O(d^2) for P. Many threads may call const
/// members at the same time.
class PrimalCovariance {
 public:
  PrimalCovariance(const CovariancePrior& start, const Setting& setting)
      : noise_(start.noise), p_(start.scale, MemoryShare(setting.memory)) {}

  /// The number of features learned from.
  [[nodiscard]] std::size_t size() const { return p_.size(); }
  /// w.x
  [[nodiscard]] double score(const FeatureView& x) const { return dot(w_, x); }
  /// r = x'Qx. THROWS: NumericFailure if P is no longer positive definite.
  [[nodiscard]] double spread(const FeatureView& x) const;
  /// Never below spread(x): P never exceeds its initial value (with the noise added since).
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding((p_.untouched_diagonal() + noise_) * x.squared_norm());
  }
  [[nodiscard]] const std::vector<double>& weights() const { return w_; }

  // The two halves of an update.
  /// Computes the update and takes the memory for it; the learned state stays unchanged. THROWS:
  /// NumericFailure if P would lose its precision or a number would not stay finite, MemoryError.
  void prepare(const FeatureView& x, double y);
  /// Applies the update. REQUIRES: prepare(x, y) was the last call.
  void commit(const FeatureView& x);

  /// Takes the memory for so many features. THROWS: MemoryError.
  void reserve(std::size_t features) { p_.reserve(features); }
  /// Takes over from another form: w, and P = identity I with w's size, to which the caller adds the rest.
  DeferredSymmetric& take_over(std::vector<double> w, double identity);

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("P", self.p_);
  }
  [[nodiscard]] bool consistent() const { return p_.consistent() && w_.size() == p_.size(); }

 private:
  double noise_;
  std::vector<double> w_;
  DeferredSymmetric p_;
  // State of the prepared update.
  std::vector<double> q_;
  double r_ = 0;
  double step_ = 0;
};

}  // namespace askfew

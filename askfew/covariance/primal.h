#pragma once

#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/covariance/start.h"
#include "askfew/linalg/deferred_symmetric.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The core of the second-order learners with P as a d x d matrix, for d up to some thousands.
///
///   Q = P + noise I,  r = x'Qx
///   update  q = Qx;  w += q (y - w.x)/(1 + r);  P = Q - q q'/(1 + r)
///
/// Without noise this is A += x x', v += y x with A = P^-1, v = A w (Sherman and Morrison). Cost: score
/// O(nnz), spread O(nnz^2), update O(d nnz) and the blocked O(d^2) of P.
class PrimalCovariance {
 public:
  PrimalCovariance(const CovariancePrior& start, const Setting& setting)
      : noise_(start.noise), p_(start.scale, MemoryShare(setting.memory)) {}

  /// How many features it has learned from.
  [[nodiscard]] std::size_t size() const { return p_.size(); }
  /// w.x
  [[nodiscard]] double score(const FeatureView& x) const { return dot(w_, x); }
  /// r = x'Qx. THROWS: NumericFailure if P is no longer positive definite.
  [[nodiscard]] double spread(const FeatureView& x) const;
  /// Never below spread(x): P never exceeds what it is where no update has touched it.
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return with_rounding((p_.untouched_diagonal() + noise_) * x.squared_norm());
  }
  void update(const FeatureView& x, double y);
  /// How much memory it takes to learn from so many features.
  [[nodiscard]] std::size_t growth(std::size_t features) const { return p_.growth(features); }

  /// Takes over from another form: w, and a P = identity I of w's size, to which the caller adds the rest.
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
  std::vector<double> q_;
};

}  // namespace askfew

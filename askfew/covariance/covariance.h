#pragma once

#include <array>
#include <string_view>

#include "askfew/config/params.h"
#include "askfew/covariance/dual.h"
#include "askfew/covariance/linear_basis.h"
#include "askfew/covariance/primal.h"

namespace askfew {

/// How P is kept.
enum class CovarianceForm : std::uint8_t { automatic, primal, dual };
inline constexpr std::array<std::string_view, 3> covariance_forms{"auto", "primal", "dual"};
inline constexpr std::string_view covariance_form_help =
    "how the matrix is kept: primal is d x d, dual is stored x stored";

/// The core of the linear second-order learners, in the form that costs less: primal where d is small, else
/// dual while fewer examples are stored than there are features, and primal from then on. Both give the same
/// decisions, up to rounding.
class Covariance {
 public:
  Covariance(const CovariancePrior& start, CovarianceForm form, const Setting& setting);

  [[nodiscard]] double score(const FeatureView& x) const {
    return is_dual_ ? dual_.score(x) : primal_.score(x);
  }
  [[nodiscard]] double spread(const FeatureView& x) const {
    return is_dual_ ? dual_.spread(x) : primal_.spread(x);
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const {
    return is_dual_ ? dual_.spread_bound(x) : primal_.spread_bound(x);
  }
  void update(const FeatureView& x, double y);
  /// How much memory it takes to learn x.
  [[nodiscard]] std::size_t growth(const FeatureView& x) const;

  [[nodiscard]] bool is_dual() const { return is_dual_; }

  static void state(auto& self, auto& visit) {
    visit("is_dual", self.is_dual_);
    visit("primal", self.primal_);
    visit("dual", self.dual_);
  }
  [[nodiscard]] bool consistent() const { return primal_.consistent() && dual_.consistent(); }

 private:
  [[nodiscard]] bool is_untouched() const { return primal_.size() == 0 && dual_.size() == 0; }
  /// In which form x is learned.
  [[nodiscard]] bool learns_dual(const FeatureView& x) const;
  /// What the primal form learns of x.
  [[nodiscard]] FeatureView primal_features(const FeatureView& x) const;
  /// Is the primal form cheaper, once so many examples of so many features are stored?
  [[nodiscard]] bool turns_primal(std::size_t examples, std::size_t features) const;
  void turn_primal();

  bool automatic_;
  FeatureView::Index dimension_;
  bool is_dual_;
  PrimalCovariance primal_;
  DualCovariance<LinearBasis> dual_;
};

}  // namespace askfew

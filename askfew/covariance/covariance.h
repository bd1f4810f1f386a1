#pragma once

// The matrix P of a linear second-order learner, in the cheaper of two forms.

#include <array>
#include <string_view>

#include "askfew/config/params.h"
#include "askfew/covariance/dual.h"
#include "askfew/covariance/linear_basis.h"
#include "askfew/covariance/primal.h"

namespace askfew {

/// How P is stored.
enum class CovarianceForm : std::uint8_t { automatic, primal, dual };
inline constexpr std::array<std::string_view, 3> covariance_forms{"auto", "primal", "dual"};
inline constexpr std::string_view covariance_form_help =
    "form of the matrix: primal is d x d, dual is n x n for n stored examples";

/// The core of the linear second-order learners, in the cheaper form: primal if d is small; else dual while
/// there are fewer stored examples than features, and primal afterwards. Both forms give the same decisions,
/// up to rounding. Many threads may call const members at the same time.
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

  // The two halves of an update, as in PrimalCovariance.
  void prepare(const FeatureView& x, double y);
  void commit(const FeatureView& x);
  void update(const FeatureView& x, double y) {
    prepare(x, y);
    commit(x);
  }
  [[nodiscard]] const std::vector<double>& weights() const {
    return is_dual_ ? dual_.basis().weights() : primal_.weights();
  }

  [[nodiscard]] bool is_dual() const { return is_dual_; }

  static void state(auto& self, auto& visit) {
    visit("is_dual", self.is_dual_);
    visit("primal", self.primal_);
    visit("dual", self.dual_);
  }
  [[nodiscard]] bool consistent() const { return primal_.consistent() && dual_.consistent(); }

 private:
  [[nodiscard]] bool is_untouched() const { return primal_.size() == 0 && dual_.size() == 0; }
  /// The features of x that the primal form learns.
  [[nodiscard]] FeatureView in_primal(const FeatureView& x) const;
  void turn_primal();

  bool automatic_;
  FeatureView::Index dimension_;
  bool is_dual_;
  PrimalCovariance primal_;
  DualCovariance<LinearBasis> dual_;
  // State of the prepared update.
  bool learns_dual_ = false;
  bool turns_primal_ = false;  // after this update
};

}  // namespace askfew

#include "askfew/covariance/covariance.h"

#include <algorithm>

namespace askfew {
namespace {

constexpr std::size_t small_dimension = 2'048;  // P takes 32 MB: the dual form gains nothing
constexpr std::size_t max_primal = 10'000;      // P takes 800 MB

bool starts_dual(CovarianceForm form, FeatureView::Index dimension) {
  if (form == CovarianceForm::automatic) return dimension > small_dimension;
  return form == CovarianceForm::dual;
}

}  // namespace

Covariance::Covariance(const CovariancePrior& start, CovarianceForm form, const Setting& setting)
    : automatic_(form == CovarianceForm::automatic),
      dimension_(setting.dimension),
      is_dual_(starts_dual(form, setting.dimension)),
      primal_(start, setting),
      dual_(start, LinearBasis(MemoryShare(setting.memory)), setting) {}

FeatureView Covariance::in_primal(const FeatureView& x) const {
  // A later file may have more features than the scanned file: they are learned while P is small.
  return dimension_ == 0 ? x : first_features(x, std::max<std::size_t>(dimension_, small_dimension));
}

void Covariance::prepare(const FeatureView& x, double y) {
  // If the number of features is unknown, the first learned instance decides, while nothing is lost.
  const bool chooses = automatic_ && dimension_ == 0 && is_untouched();
  learns_dual_ = chooses ? x.extent() > small_dimension : is_dual_;
  turns_primal_ = false;
  if (!learns_dual_) return primal_.prepare(in_primal(x), y);
  dual_.prepare(x, y);
  const std::size_t dimension = std::max<std::size_t>(dual_.basis().weights().size(), x.extent());
  turns_primal_ = automatic_ && dual_.size() + 1 > dimension && dimension <= max_primal;
  if (turns_primal_) primal_.reserve(dimension);
}

void Covariance::commit(const FeatureView& x) {
  is_dual_ = learns_dual_;
  if (!is_dual_) return primal_.commit(in_primal(x));
  dual_.commit(x);
  if (turns_primal_) turn_primal();
}

// P = g I + F B F', once: with T = B F', row j of which is B_j. F', P gains f_ja T_j in row a.
void Covariance::turn_primal() {
  LinearBasis& basis = dual_.basis();
  DeferredSymmetric& b = dual_.matrix();
  b.flush();
  DeferredSymmetric& p = primal_.take_over(basis.weights(), dual_.identity());
  std::vector<double> t(p.size());
  for (std::size_t j = 0; j < basis.size(); ++j) {
    std::fill(t.begin(), t.end(), 0.0);
    for (std::size_t s = 0; s < basis.size(); ++s) add_scaled(t, b.row(j)[s], basis.example(s));
    basis.example(j).for_each([&](FeatureView::Index a, double value) {
      dense_add_scaled(p.row(a).data(), value, t.data(), t.size());
    });
  }
  for (std::size_t i = 0; i < p.size(); ++i) {  // makes P symmetric to the last bit
    for (std::size_t j = 0; j < i; ++j) p.row(i)[j] = p.row(j)[i];
  }
  b.start_over(0);
  basis.clear();
  is_dual_ = false;
}

}  // namespace askfew

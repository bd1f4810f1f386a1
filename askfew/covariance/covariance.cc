#include "askfew/covariance/covariance.h"

#include <algorithm>

namespace askfew {
namespace {

constexpr std::size_t small_dimension = 2'048;  // P in 32 MB: nothing to gain from the dual form
constexpr std::size_t max_primal = 10'000;      // P in 800 MB

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

// Nobody has said how many features there are: the first instance that is learned tells, while nothing is
// lost.
bool Covariance::learns_dual(const FeatureView& x) const {
  const bool is_open = automatic_ && dimension_ == 0 && is_untouched();
  return is_open ? x.extent() > small_dimension : is_dual_;
}

// A later file may have more features than the one that was counted: they are learned while P is small.
FeatureView Covariance::primal_features(const FeatureView& x) const {
  const std::size_t most = std::max<std::size_t>(dimension_, small_dimension);
  return dimension_ == 0 ? x : first_features(x, most);
}

bool Covariance::turns_primal(std::size_t examples, std::size_t features) const {
  return automatic_ && examples > features && features <= max_primal;
}

std::size_t Covariance::growth(const FeatureView& x) const {
  if (!learns_dual(x)) return primal_.growth(primal_features(x).extent());
  const std::size_t features = std::max<std::size_t>(dual_.basis().weights().size(), x.extent());
  const bool turns = turns_primal(dual_.size() + 1, features);
  return dual_.growth(x) + (turns ? primal_.growth(features) : 0);
}

void Covariance::update(const FeatureView& x, double y) {
  is_dual_ = learns_dual(x);
  if (!is_dual_) return primal_.update(primal_features(x), y);
  dual_.update(x, y);
  if (turns_primal(dual_.size(), dual_.basis().weights().size())) turn_primal();
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
  for (std::size_t i = 0; i < p.size(); ++i) {  // symmetric to the last bit
    for (std::size_t j = 0; j < i; ++j) p.row(i)[j] = p.row(j)[i];
  }
  b.start_over(0);
  basis.clear();
  is_dual_ = false;
}

}  // namespace askfew

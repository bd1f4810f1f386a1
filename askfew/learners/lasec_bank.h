#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/covariance/covariance.h"

namespace askfew {

/// A bank of LASECs with different drift rates, for targets whose drift is unknown: Moroshko and Crammer
/// (2014, section 6) leave this question open. Each member learns as in their Figure 1, see lasec.h; the bank
/// is the members' mean, weighted by their losses (fixed share, Herbster and Warmuth 1998).
///
///   members K of them, c_1 = c_min to c_K = c_max on a geometric grid, all with the same b
///   margin  m = sum of p_k f_k, with f_k = x'D_k^-1 e_k of the k-th member, cut to [-1, 1]   p starts at 1/K
///   update  p_k is multiplied by exp(-(y - f_k)^2/8), p scaled to sum 1, then p = (1 - share) p + share/K;
///           a member whose own prediction was a mistake learns (x, y)
///
/// f_k is the member's margin times 1 + r_k. Divided margins of members with small c are always small, so
/// that the largest c would dominate the mean; each undivided margin is an estimate of y.
/// Promise: with the loss l(m) = (y - m)^2/4 in [0, 1], exp(-l(m)/2) is concave on [-1, 1], so that over the
/// n labels learned, for every split of them into s + 1 stretches with one member each,
///   sum l(bank) <= sum l(those members) + 2 ((s + 1) ln K + s ln(1/share) + (n - s - 1) ln(1/(1 - share))).
/// The bound involves no probability: it holds for any set of asked labels (policy asked). Labels are not
/// weighted by 1/probability, because an update does not know the probability; so the bound says nothing
/// about the losses on other rounds. With rule margin(a) there is a bound for all rounds: a mistake is asked
/// with probability
/// a/(a + |m|), and a + |m| <= max(1, 2a) 2 l(m), so
///   E[mistakes on all rounds] <= max(1/a, 2) 2 E[sum l(bank) over the labels asked].
/// With other rules the weights follow the c that is best where labels are asked.
/// Cost of a round: score O(K nnz), without a spread unless the rule needs one; updates as K second-order.
class LasecBank {
 public:
  struct Params {
    double b = 1;
    double c_min = 3;
    double c_max = 1e6;
    double K = 8;
    double share = 0.01;
    double form = 0;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"b", &Params::b, positive(),
                        "a larger value expects a smaller first target; below c_min"},
          Param<Params>{"c_min", &Params::c_min, positive(), "c of the member that forgets fastest"},
          Param<Params>{"c_max", &Params::c_max, positive(), "c of the member that forgets slowest"},
          Param<Params>{"K", &Params::K, Range{.low = 1, .high = 64, .integral = true}, "number of members"},
          Param<Params>{
              "share", &Params::share, between(0, 1),
              "share of the weights divided equally after each label; 0 if the best c never changes"},
          Param<Params>{"form", &Params::form, one_of(covariance_forms), covariance_form_help}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "lasec-bank",
      .formula =
          "m = sum p_k f_k, f_k = x'D^-1 e of lasec with c_k, cut to [-1,1]; p_k *= exp(-(y-f_k)^2/8), "
          "p = (1-share) p/sum p + share/K",
      .paper = "no paper: LASECs of Moroshko and Crammer 2014, weights of Herbster and Warmuth 1998",
      .policy = UpdatePolicy::asked,
      .test_params = "b=0.5,c_min=2,K=3,share=0.05,form=primal b=0.5,c_min=2,K=3,form=dual"};
  static constexpr bool margin_is_divided = false;

  LasecBank(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const;
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  /// The mean of the members' spreads.
  [[nodiscard]] double spread(const FeatureView& x) const;
  [[nodiscard]] double spread_bound(const FeatureView& x) const;
  void update(const FeatureView& x, Label y, double margin);

  /// p, from c_min to c_max.
  [[nodiscard]] std::span<const double> shares() const { return p_; }

  static void state(auto& self, auto& visit) {
    visit("p", self.p_);
    for (std::size_t k = 0; k < self.members_.size(); ++k)
      visit("member" + std::to_string(k), self.members_[k]);
  }
  [[nodiscard]] bool consistent() const;

 private:
  double share_;
  std::vector<double> p_;
  std::vector<Covariance> members_;
  std::vector<double> estimates_;  // scratch of one update
};

}  // namespace askfew

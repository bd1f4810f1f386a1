#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "askfew/core/params.h"
#include "askfew/covariance/covariance.h"

namespace askfew {

/// A bank of LASECs with different drift rates, for when nobody knows how much the target drifts: the
/// question that Moroshko and Crammer (2014, section 6) leave open. Each member learns as in their Figure 1,
/// see lasec.h; the bank is the members' mean, weighted by their losses (fixed share, Herbster and Warmuth
/// 1998).
///
///   members K of them, c_1 = c_min to c_K = c_max on a geometric grid, all with the same b
///   margin  m = sum of p_k m_k, with m_k the k-th member's margin, cut to [-1, 1]          p starts at 1/K
///   update  p_k is multiplied by exp(-(y - m_k)^2/8), p scaled to sum 1, then p = (1 - share) p + share/K;
///           a member whose own prediction was a mistake learns (x, y)
///
/// Promise: with the loss l(m) = (y - m)^2/4 in [0, 1] and eta = 1/2, exp(-eta l(m)) is concave on [-1, 1],
/// so that over the n labels learned, for every split of them into s + 1 stretches with one member each,
///   sum l(bank) <= sum l(these members) + 2 ((s + 1) ln K + s ln(1/share) + (n - s - 1) ln(1/(1 - share))).
/// No order, no distribution and no probability comes into it, so it holds for the labels that were asked,
/// whichever they are. They are not weighed by 1/probability, which an update is not told: the bound is about
/// the asked labels alone. With rule margin(a) that is enough for all rounds: a round is asked with
/// probability a/(a + |m|), and (a + |m|) <= max(1, 2a) 2 l(m) where m is a mistake, so
///   E[mistakes on all rounds] <= max(1/a, 2) 2 E[sum l(bank) over the labels asked].
/// With another rule, labels that it never asks for teach the weights nothing.
/// Cost of a round: K times that of second-order, and its spread in every round.
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
          Param<Params>{"b", &Params::b, positive(), "how small the first target is; below c_min"},
          Param<Params>{"c_min", &Params::c_min, positive(), "c of the member that forgets most"},
          Param<Params>{"c_max", &Params::c_max, positive(), "c of the member that forgets least"},
          Param<Params>{"K", &Params::K, Range{.low = 1, .high = 64, .integral = true}, "number of members"},
          Param<Params>{"share", &Params::share, between(0, 1),
                        "of the weights, given to all alike after each label; 0 if the best c never changes"},
          Param<Params>{"form", &Params::form, one_of(covariance_forms), covariance_form_help}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "lasec-bank",
      .formula =
          "m = sum p_k m_k, m_k of lasec with c_k, cut to [-1,1]; p_k *= exp(-(y-m_k)^2/8), "
          "p = (1-share) p/sum p + share/K",
      .paper = "no paper: Moroshko and Crammer 2014 leave it open; weights of Herbster and Warmuth 1998",
      .policy = UpdatePolicy::asked};
  static constexpr bool margin_is_divided = false;

  LasecBank(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const;
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return margin(x); }
  /// The members' mean, weighted as their margins are.
  [[nodiscard]] double spread(const FeatureView& x) const;
  [[nodiscard]] double spread_bound(const FeatureView& x) const;
  void update(const FeatureView& x, Label y, double margin);

  /// p, from c_min to c_max.
  [[nodiscard]] std::span<const double> weights() const { return p_; }

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
};

}  // namespace askfew

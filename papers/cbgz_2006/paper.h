#pragma once

#include <array>
#include <string_view>

namespace askfew::cbgz_2006 {

inline constexpr std::string_view title =
    "Worst-case analysis of selective sampling for linear classification "
    "(Cesa-Bianchi, Gentile, Zaniboni 2006)";

inline constexpr std::string_view claim =
    "The paper runs SEL-P, SEL-ADA and SEL-2ND over the first 40,000 stories of RCV1, with one task for each "
    "of the 50 most frequent topics. It measures F on every story, asked or not, averaged over the topics. "
    "It claims: asking where the margin is small is clearly better than asking at a fixed rate, and the "
    "difference shrinks as the rate grows; F stays the same over a wide interval of b, while the rate falls; "
    "SEL-2ND has the best trade-off, and SEL-ADA is slightly worse than SEL-P. For F = 0.65 SEL-P asks for "
    "about 60% of the labels, SEL-ADA for 74% and SEL-2ND for 9%, and the rates of SEL-P and SEL-2ND fall "
    "with time.";

/// The paper's table of b and the share of labels, in Section 4.
struct RateOfB {
  double rate;
  double first_order;
  double second_order;
};
inline constexpr std::array rates{RateOfB{0.292, 0.250, 0.040}, RateOfB{0.438, 0.500, 0.085},
                                  RateOfB{0.533, 0.750, 0.125}, RateOfB{0.600, 1.000, 0.168},
                                  RateOfB{0.649, 1.250, 0.210}, RateOfB{0.688, 1.500, 0.236},
                                  RateOfB{0.718, 1.750, 0.240}};

/// Shares of labels that reach the target F, from Figure 8.
inline constexpr double rate_of_sel_p = 0.60;
inline constexpr double rate_of_sel_ada = 0.74;
inline constexpr double rate_of_sel_2nd = 0.09;

}  // namespace askfew::cbgz_2006

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Moroshko and Crammer, "Selective Sampling with Drift", AISTATS 2014, section 5.
namespace askfew::moroshko_2014 {

inline constexpr std::size_t switch_after = 500;    ///< rounds between two shifts of the target
inline constexpr double every_label = 1;            ///< the rate of samplers that ask for every label
inline constexpr std::array named_rates{0.1, 0.4};  ///< the rates of Fig. 2(b) and 2(e)

enum class Kind : std::uint8_t { gaussian, usps };

/// A sampler that takes part, with the settings among which the best is chosen.
struct Contestant {
  std::string name;
  std::vector<std::string> learners;
  std::string rule;
  bool in_paper = true;
};

/// The parameters that the paper sets by hand, because "the optimal values of these parameters simply reduced
/// these algorithms to the original Perceptron".
struct PaperSettings {
  double lambda = 0;  ///< of the Shifting Perceptron
  int budget = 0;     ///< of the Randomized Budget Perceptron
};
inline constexpr PaperSettings on_gaussian{.lambda = 0.01, .budget = 500};
inline constexpr PaperSettings on_usps{.lambda = 0.0001, .budget = 1000};

/// Fig. 2(a) and 2(d).
std::vector<Contestant> supervised(Kind kind, bool quick);
/// Fig. 2(b), 2(c), 2(e) and 2(f).
std::vector<Contestant> selective(Kind kind, bool quick);

// The paper's claims about its figures.
inline constexpr std::string_view supervised_gaussian =
    "Fig. 2(a): with all labels of the shifting Gaussian, LASEC is better than all other learners.";
inline constexpr std::string_view sop_first =
    "Fig. 2(a): before the first shift, SOP is the best learner with all labels.";
inline constexpr std::string_view reduced_to_perceptron =
    "With the best lambda, the Shifting Perceptron is no better than the Perceptron; with the best B, the "
    "Randomized Budget Perceptron is no better than the Perceptron.";
inline constexpr std::string_view bbq_first =
    "Fig. 2(b), 2(e): before the first shift BBQ is the best selective sampler; after the shift its accuracy "
    "falls.";
inline constexpr std::string_view second_order_usps =
    "Fig. 2(d): with all labels of the shifting USPS, LASEC and SOP are better than the Perceptrons.";
inline constexpr std::string_view lasec_usps =
    "Fig. 2(d): with all labels of the shifting USPS, LASEC is slightly better than SOP.";
inline constexpr std::string_view selective_gaussian =
    "Fig. 2(c): LASEC-SS is the best selective sampler on the shifting Gaussian at every rate.";
inline constexpr std::string_view selective_usps =
    "Fig. 2(f): LASEC-SS is the best selective sampler on the shifting USPS at every rate.";

}  // namespace askfew::moroshko_2014

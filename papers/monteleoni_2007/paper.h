#pragma once

#include <array>
#include <cstddef>
#include <string_view>

// The problems and numbers of Figure 3 in Monteleoni and Kaariainen, "Practical Online Active Learning for
// Classification" (2007).
namespace askfew::monteleoni_2007 {

inline constexpr std::string_view claim =
    "\"On every problem, active learning shows a clear advantage over random sampling: at least one of "
    "DKMactivePerceptron or CBGZ, and sometimes more active learning algorithms, use significantly fewer "
    "labels than both of the random sampling methods.\" (Section 4.2)";

struct Labels {
  double mean = 0;
  double deviation = 0;
};

/// The samplers, in the order of the rows of Figure 3.
enum Algorithm : std::size_t { dkm2, dkm_perc, cbgz_dkm, cbgz_perc, rand_dkm, rand_perc, algorithms };
struct AlgorithmName {
  std::string_view paper;
  std::string_view preset;
};
inline constexpr std::array<AlgorithmName, algorithms> names{{{"DKM2", "dkm2"},
                                                              {"DKMperc", "dkm-perc"},
                                                              {"CBGZ_DKM", "cbgz-dkm"},
                                                              {"CBGZperc", "cbgz-perc"},
                                                              {"randDKM", "rand-dkm"},
                                                              {"randPerc", "rand-perc"}}};

/// A binary problem: some digits are positive, others or all others are negative.
struct ProblemInPaper {
  std::string_view name;
  bool usps = false;
  std::string_view positive;
  std::string_view negative;  ///< empty: all other digits
  double threshold = 0;       ///< the test error to reach
  bool in_figure_4 = false;   ///< Figure 4 shows its statistical efficiency
  std::array<Labels, algorithms> labels{};
};

inline constexpr std::array<ProblemInPaper, 7> figure_3{{
    {"MNIST 0v1",
     false,
     "0",
     "1",
     0.01,
     true,
     {{{28.02, 25.26}, {13.78, 5.88}, {130.12, 116.45}, {32.78, 19.52}, {87.72, 101.84}, {83.76, 78.47}}}},
    {"MNIST 0vAll",
     false,
     "0",
     "",
     0.05,
     true,
     {{{105.30, 42.39},
       {57.26, 15.92},
       {183.78, 120.83},
       {62.66, 30.48},
       {173.44, 114.55},
       {103.74, 76.25}}}},
    {"MNIST 4v7",
     false,
     "4",
     "7",
     0.05,
     true,
     {{{150.02, 49.61}, {44.00, 15.32}, {194.36, 80.20}, {63.32, 30.76}, {276.92, 150.59}, {107.98, 57.41}}}},
    {"MNIST 6v9",
     false,
     "6",
     "9",
     0.025,
     false,
     {{{163.12, 42.45}, {20.44, 11.75}, {218.28, 94.95}, {30.66, 13.31}, {367.24, 191.25}, {104.06, 75.10}}}},
    {"MNIST 147vAll",
     false,
     "147",
     "",
     0.15,
     false,
     {{{275.34, 72.00},
       {217.06, 75.85},
       {379.16, 138.38},
       {170.02, 63.61},
       {375.46, 164.33},
       {214.16, 93.12}}}},
    {"USPS 0vAll",
     true,
     "0",
     "",
     0.05,
     true,
     {{{174.22, 63.85},
       {87.56, 28.97},
       {156.08, 66.75},
       {115.14, 61.09},
       {235.10, 129.11},
       {173.96, 98.96}}}},
    {"USPS 147vAll",
     true,
     "147",
     "",
     0.1,
     false,
     {{{190.72, 80.09},
       {137.86, 58.21},
       {193.70, 96.35},
       {116.28, 60.68},
       {210.40, 109.39},
       {151.32, 72.65}}}},
}};

}  // namespace askfew::monteleoni_2007

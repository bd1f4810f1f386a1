#pragma once

// The longer sentences of the page.
namespace askfew::monteleoni_2007 {

/// Of runs and folds.
inline constexpr char how_measured[] =
    "Mean ± standard deviation over {} runs of {} folds. A run shuffles the examples of a problem; each fold "
    "is "
    "held out once, and the sampler goes once over the others in their order. Counted are the labels that it "
    "had "
    "asked for when its error on the fold was first at most the threshold. The error is measured after every "
    "update, so the count is exact. Folds that never reach the threshold are left out of the mean and "
    "counted as "
    "\"not\"; such a mean is too low, and no verdict takes it for the paper's. \"Apart\" is how far the two "
    "means "
    "are from each other, in the paper's deviations.";

/// Of tuning examples and folds.
inline constexpr char how_tuned[] =
    "As in the paper, parameters are tuned on {} other examples of each problem, {} folds, for the fewest "
    "labels "
    "to the same threshold; a setting that leaves a fold above it loses to one that does not. R is tuned for "
    "DKM "
    "and b for CBGZ. The learning rate, which the paper tunes first, stays 1: from w = 0 it changes no "
    "prediction "
    "of a Perceptron. The random samplers ask with probability 1/2. So few folds choose R by chance as well, "
    "and "
    "DKM2 and DKMperc depend on it: this is one of four ways of tuning that were tried, and their numbers "
    "differ "
    "(docs/reproductions/monteleoni-2007.md).";

inline constexpr char under_efficiency[] =
    "Mean labels to reach a test error, where all folds reach it. Parameters were tuned for one of these "
    "errors, "
    "the problem's threshold.";

inline constexpr char under_learning[] =
    "Mean test error after so many labels. A fold that asks for no more keeps its last error; a line ends "
    "where "
    "half of the folds have stopped asking.";

}  // namespace askfew::monteleoni_2007

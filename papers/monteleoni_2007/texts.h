#pragma once

// The paragraphs of the page.
namespace askfew::monteleoni_2007 {

/// Arguments: the numbers of runs and folds.
inline constexpr char how_measured[] =
    "Mean ± standard deviation over {} runs of {} folds. A run shuffles the examples of a problem. Each fold "
    "is held out once, and the sampler sees the other examples once, in their order. The table shows how "
    "many labels the sampler had asked for when its error on the held-out fold first was at most the "
    "threshold. The error is measured after every update, so that the count is exact. Folds that never reach "
    "the threshold are left out of the mean and counted as \"not reached\"; such a mean is too low, and no "
    "verdict accepts it as equal to the paper's. \"Difference\" is the distance between the two means in "
    "standard errors of their difference, and in parentheses in standard deviations of a fold in the paper. "
    "The folds of a run are no separate experiments: all folds but the first begin with the same tenth of "
    "the examples, in the same order. So a standard error is the larger one of two: over all folds, and over "
    "the means of the runs. The paper gives "
    "only the deviation; its standard error over 50 folds is enlarged by the same factor as here. Two means "
    "that differ by at most two standard errors are a "
    "tie.";

/// Arguments: the numbers of tuning examples and folds.
inline constexpr char how_tuned[] =
    "As in the paper, parameters are tuned on {} other examples of each problem with {} folds. The best "
    "parameter needs the fewest labels to reach the same threshold; a fold that never reaches it needs more "
    "labels than there are, so that a parameter with which some fold fails loses to a parameter with which "
    "fewer fail. R is tuned for DKM and b for CBGZ. The paper tunes the learning rate first, for the "
    "Perceptron alone; from w = 0 the learning rate changes no prediction of a Perceptron, and here it stays "
    "1. DKMperc starts at y0 x0, as the paper's Figure 1, and CBGZperc and randPerc at 0, as its Figure 2. "
    "The random samplers ask with probability 1/2. With so few folds the choice of R is partly chance "
    "(docs/reproductions/monteleoni-2007.md).";

inline constexpr char under_efficiency[] =
    "Mean number of labels to reach a test error, where all folds reach it. Parameters were tuned for one of "
    "these errors, the problem's threshold.";

inline constexpr char under_learning[] =
    "Mean test error after a number of labels. A fold that stops asking keeps its last error; a line ends "
    "where half of the folds have stopped asking.";

}  // namespace askfew::monteleoni_2007

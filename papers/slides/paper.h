#pragma once

#include <string_view>

/// Cesa-Bianchi, "On-Line Learning" (slides).
namespace askfew::slides {

// Part 3, "Mistake bounds for various updates": on y u.x >= 1 with |u| = U, U^2 for the Perceptron and
// Hildreth, d U ln U for the second-order Perceptron, d^2 ln U for the ellipsoid, d ln U for the two centres.
inline constexpr std::string_view bounds_hold =
    "Part 3: on a stream that a u of norm U separates with margin 1, no update makes more mistakes than its "
    "bound.";
inline constexpr std::string_view perceptron_is_tight =
    "Part 3: U^2 is optimal for fixed U. An adversary who sees the weights makes the Perceptron reach this "
    "bound.";
inline constexpr std::string_view centres_win =
    "Part 3: where U is large and d small, updates with a bound in ln U make fewer mistakes than those with "
    "U^2.";

// Part 6, ALMA.
inline constexpr std::string_view alma_margin =
    "Part 6: ALMA finds a separator of norm at most |u_SVM|/(1 - alpha), whose margin is at least 1 - alpha "
    "times the largest margin.";
inline constexpr std::string_view alma_updates = "Part 6: ALMA needs at most (|u_SVM|/alpha)^2 updates.";

// Part 5, the Randomized Budget Perceptron.
inline constexpr std::string_view budget_is_needed =
    "Part 5: for every learner with B supports, some stream that a u of norm sqrt(B + 1) separates causes an "
    "unbounded number of mistakes.";
inline constexpr std::string_view budget_bound =
    "Part 5: with B = (1 + e) U^2 supports, the number of mistakes grows with 1 + 1/e against every |u| <= "
    "U: for e = 1 it is at most twice the Perceptron's bound.";

// Part 6, selective sampling.
inline constexpr std::string_view few_labels =
    "Part 6, a picture in the slides: with a tenth of the labels the selective sampler is within 1 point of "
    "the same learner with all labels.";
inline constexpr std::string_view better_than_random =
    "Part 6, why the sampler asks at small margins: at every share of labels it is better than the same "
    "learner asking at random.";

}  // namespace askfew::slides

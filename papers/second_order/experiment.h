#pragma once

#include "papers/experiment.h"

namespace askfew::second_order {

inline constexpr std::string_view title =
    "Beyond Cesa-Bianchi, Gentile and Zaniboni 2006: where the second order beats the first";

/// The second-order and the plain Perceptron with all labels, while one choice of the features, the topics,
/// the order or the learner changes.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::second_order

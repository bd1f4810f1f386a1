#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "askfew/trials/compare_samplers.h"

#include "papers/defaults/streams.h"

namespace askfew::defaults {

/// A sampler under a budget on a variant: a number for each task and run.
struct Cell {
  std::vector<double> errors;  ///< share of the rounds
  std::vector<double> f1;
  std::vector<double> spent;  ///< of the budget in whole labels
  /// By how many standard errors the mistakes after the first 50 labels are more than those of always calling
  /// the class that was told more often; -100 where too few rounds are left to say.
  std::vector<double> above_majority;
  std::size_t rounds = 0;

  [[nodiscard]] double error() const;
  [[nodiscard]] double f_missed() const;  ///< 1 - F
  /// Of the mean error, from the number of rounds.
  [[nodiscard]] double standard_error() const;
};

/// A share or a count of labels.
LabelBudget share_of_labels(double share);
LabelBudget count_of_labels(double count);
/// REQUIRES: one of these budgets.
nlohmann::json measure(const Variant& variant, const SamplerConfig& sampler, const LabelBudget& budget,
                       std::size_t runs, std::uint64_t seed);
Cell cell_of(const nlohmann::json& measured);

}  // namespace askfew::defaults

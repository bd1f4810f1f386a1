#include "papers/monteleoni_2007/problems.h"

#include "askfew/core/shuffled.h"

#include "papers/data.h"

namespace askfew::monteleoni_2007 {
namespace {

constexpr std::size_t digit_147 = 10;  // the task after the ten tasks of single digits

std::size_t task_of(std::string_view positive) {
  return positive == "147" ? digit_147 : static_cast<std::size_t>(positive[0] - '0');
}

bool belongs(const Dataset& data, std::size_t row, const ProblemInPaper& problem) {
  const auto is = [&](std::string_view digits) {
    return data.label(row, task_of(digits)) == Label::positive;
  };
  return problem.negative.empty() || is(problem.positive) || is(problem.negative);
}

}  // namespace

Sizes sizes_of(const ExperimentContext& context) {
  if (!context.quick) return {};
  return {.tuning_examples = 1000, .examples = 3000, .runs = 1};
}

Digits read_digits(const ExperimentContext& context) {
  DigitsPlan plan;
  for (int digit = 0; digit < 10; ++digit) plan.positive.push_back({digit});
  plan.positive.push_back({1, 4, 7});
  return {.mnist = read_mnist(context, plan), .usps = read_usps(context, plan)};
}

std::vector<Problem> problems_of(const Digits& digits, const Sizes& sizes, std::uint64_t seed) {
  std::vector<Problem> all;
  for (const ProblemInPaper& paper : figure_3) {
    Problem problem{
        .paper = &paper, .data = paper.usps ? &digits.usps : &digits.mnist, .task = task_of(paper.positive)};
    for (const std::uint32_t row : shuffled(problem.data->size(), seed, 0)) {
      if (!belongs(*problem.data, row, paper)) continue;
      if (problem.tuning.size() < sizes.tuning_examples) {
        problem.tuning.push_back(row);
      } else if (problem.rows.size() < sizes.examples) {
        problem.rows.push_back(row);
      }
    }
    all.push_back(std::move(problem));
  }
  return all;
}

HeldOutCurve curve_of(const Problem& problem, std::span<const std::uint32_t> rows,
                      const SamplerConfig& sampler, const Round& round, const HeldOutEnd& end) {
  std::vector<std::uint32_t> order = shuffled(rows.size(), round.seed, 1 + round.run);
  for (std::uint32_t& place : order) place = rows[place];
  const Fold fold = fold_of(order, round.fold, round.folds);
  // Every fold has its own seed for the coins.
  const std::uint64_t seed = (round.seed * 1000 + round.run) * 1000 + round.fold;
  return held_out_curve(*problem.data, fold.rows, fold.held_out,
                        {.sampler = sampler, .seed = seed, .task = problem.task}, end);
}

}  // namespace askfew::monteleoni_2007

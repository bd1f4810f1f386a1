#include "papers/slides/beyond_budget.h"

#include <algorithm>
#include <fmt/core.h>

#include "papers/slides/paper.h"
#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

/// All labels of the basis of R^(B+1) are positive, and u = (1, ..., 1) separates the basis with margin 1. A
/// cache of B examples lacks one of the B + 1 basis vectors, and the learner is wrong about the vector that
/// it lacks; the adversary always gives this vector.
std::uint64_t mistakes_beyond_the_budget(std::string_view learner, std::size_t dimension,
                                         std::uint64_t rounds) {
  const auto sampler =
      make_sampler(supervised(learner), {.key = {}, .dimension = static_cast<FeatureView::Index>(dimension)});
  std::uint64_t mistakes = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::vector<double> weights = weights_of(*sampler, dimension);
    const auto least = std::min_element(weights.begin(), weights.end()) - weights.begin();
    std::vector<double> unit(dimension, 0.0);
    unit[static_cast<std::size_t>(least)] = 1;
    const FeatureView x = FeatureView::dense(unit);
    const Query query = sampler->ask(x);
    if (query.prediction != Label::positive) ++mistakes;
    sampler->tell(x, Label::positive, query);
  }
  return mistakes;
}

}  // namespace

Verdict verdict_beyond_budget() {
  constexpr std::size_t budget = 20;
  constexpr std::uint64_t rounds = 2000;
  const std::uint64_t with_budget =
      mistakes_beyond_the_budget(fmt::format("budget:B={}", budget), budget + 1, rounds);
  const std::uint64_t without = mistakes_beyond_the_budget("perceptron", budget + 1, rounds);
  return {.holds = with_budget == rounds && without == budget + 1,
          .claim = std::string(budget_is_needed),
          .found = fmt::format("With B = {} and an adversary that gives the basis vector that the cache "
                               "lacks: {} mistakes in {} rounds; the Perceptron without a budget makes {}.",
                               budget, with_budget, rounds, without)};
}

}  // namespace askfew::slides

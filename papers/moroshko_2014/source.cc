#include "papers/moroshko_2014/source.h"

#include <fmt/core.h>
#include <memory>

#include "askfew/core/coin.h"
#include "askfew/core/shuffled.h"
#include "askfew/streams/open.h"

#include "papers/data.h"

namespace askfew::moroshko_2014 {
namespace {

/// The seed of the k-th repetition.
std::uint64_t seed_of(const ExperimentContext& context, std::uint64_t k) {
  return context.seed * 1000 + k;
}

/// For each stretch between two shifts, the digits that are positive: a random subgroup, never empty and
/// never all digits.
std::vector<unsigned> random_subgroups(std::size_t shifts, std::uint64_t seed) {
  Coin coin({.seed = seed}, CoinPurpose::teacher);
  std::vector<unsigned> subgroups;
  for (std::uint64_t n = 1; subgroups.size() < shifts; ++n) {
    const auto subgroup = static_cast<unsigned>(coin(n) * 1024);
    if (subgroup != 0 && subgroup != 1023) subgroups.push_back(subgroup);
  }
  return subgroups;
}

/// The digits in a random order, labelled by the subgroup that is positive in their round.
Repetition shifted(const Dataset& digits, std::uint64_t seed) {
  Repetition drawn{.rows = shuffled(digits.size(), seed, 0), .seed = seed};
  std::vector<std::size_t> round_of(digits.size());
  for (std::size_t round = 0; round < drawn.rows.size(); ++round) round_of[drawn.rows[round]] = round;
  const std::vector<unsigned> subgroups = random_subgroups(digits.size() / switch_after + 1, seed);
  drawn.data = digits.selected(digits.size(), 1, [&](std::size_t row, std::span<Label> labels) {
    const unsigned subgroup = subgroups[round_of[row] / switch_after];
    labels[0] = Label::negative;
    for (std::size_t digit = 0; digit < 10; ++digit) {
      if (digits.label(row, digit) == Label::positive && (subgroup >> digit & 1U) != 0)
        labels[0] = Label::positive;
    }
    return true;
  });
  return drawn;
}

}  // namespace

Source shifting_gaussian(const ExperimentContext& context) {
  const std::size_t rounds = context.quick ? 3000 : 10'000;
  const std::string stream =
      fmt::format("synthetic:shifting-gaussian:d=50,n={},switch={}", rounds, switch_after);
  const auto draw = [=](std::uint64_t k, bool unit_norms) {
    const std::uint64_t seed = seed_of(context, k);
    const FeatureOptions norms{.normalize = unit_norms};
    const auto examples = open_stream(fmt::format("{},seed={}", stream, seed), {.features = norms});
    FeatureState features(norms);
    return Repetition{.data = Dataset::read(*examples, Labelling::plain(), features),
                      .rows = in_order(rounds),
                      .seed = seed};
  };
  return {.name = "shifting Gaussian",
          .key = fmt::format("{} seed {}", stream, context.seed),
          .kind = Kind::gaussian,
          .rounds = rounds,
          .to_turn = context.quick ? 2U : 8U,
          .to_judge = context.quick ? 4U : 12U,
          .draw = draw};
}

Source shifting_usps(const ExperimentContext& context) {
  DigitsPlan plan{.positive = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}},
                  .most = context.quick ? std::size_t{3000} : 0,
                  .normalize = false};
  const auto as_read = std::make_shared<const Dataset>(read_usps(context, plan));
  plan.normalize = true;
  const auto normalized = std::make_shared<const Dataset>(read_usps(context, plan));
  return {.name = "shifting USPS",
          .key = fmt::format("usps n={},switch={} seed {}", as_read->size(), switch_after, context.seed),
          .kind = Kind::usps,
          .rounds = as_read->size(),
          .to_turn = context.quick ? 2U : 4U,
          .to_judge = context.quick ? 2U : 8U,
          .draw = [=](std::uint64_t k, bool unit_norms) {
            return shifted(unit_norms ? *normalized : *as_read, seed_of(context, k));
          }};
}

}  // namespace askfew::moroshko_2014

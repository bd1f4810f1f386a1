// Li, Long, "The relaxed online maximum margin algorithm" (2002): the updates of ROMMA and its aggressive
// form, and the number of mistakes on a stream that some u separates.

#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 15;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

/// ROMMA on a stream of instances of any norm, which u separates with margin 1.
class LiLong2002 : public testing::TestWithParam<std::tuple<UpdatePolicy, std::uint64_t>> {
 protected:
  LiLong2002() {
    const auto [policy, seed] = GetParam();
    std::mt19937_64 random(seed);
    constexpr double margin = 0.3;
    u = test::random_teacher(random, dimension);
    stream = test::teacher_stream(seed, 1000, u, 8, margin, 0, false);
    for (double& weight : u) weight /= margin;
    for (const auto& example : stream) longest = std::max(longest, std::sqrt(example.x().squared_norm()));
    SamplerConfig config = test::config_of("romma", "always");
    config.update = policy;
    sampler = make_sampler(config, {});
  }

  std::vector<double> u;
  test::Stream stream;
  double longest = 0;
  std::unique_ptr<AnySampler> sampler;
};

TEST_P(LiLong2002,
       an_update_gives_a_vector_that_is_right_about_the_label_no_worse_about_the_past_and_no_longer_than_u) {
  constexpr double rounding = 1e-9;
  std::size_t updates = 0;
  for (const auto& example : stream) {
    const std::vector<double> before = sampler->linear_form()->weights;
    const Query query = sampler->ask(example.x());
    if (!sampler->tell(example.x(), example.y, query)) continue;
    ++updates;
    const std::vector<double> after = sampler->linear_form()->weights;
    const double past = product(before, before);
    EXPECT_GE(product(after, before), past * (1 - rounding));
    EXPECT_GE(sign(example.y) * sampler->margin(example.x()), 1 - rounding);
    EXPECT_LE(product(after, after), product(u, u) * (1 + rounding));
    if (query.prediction != example.y) {
      EXPECT_GE(product(after, after), (past + 1 / (longest * longest)) * (1 - rounding));
    }
  }
  EXPECT_GT(updates, 10);
}

TEST_P(LiLong2002, the_number_of_mistakes_is_at_most_the_bound) {
  double mistakes = 0;
  for (const auto& example : stream) {
    const Query query = sampler->ask(example.x());
    if (query.prediction != example.y) ++mistakes;
    sampler->tell(example.x(), example.y, query);
  }
  EXPECT_LE(mistakes, hildreth_bound({.norm = std::sqrt(product(u, u)), .longest = longest}));
}

INSTANTIATE_TEST_SUITE_P(Streams, LiLong2002,
                         testing::Combine(testing::Values(UpdatePolicy::mistake, UpdatePolicy::margin),
                                          testing::Values(1, 2, 3)));

}  // namespace
}  // namespace askfew

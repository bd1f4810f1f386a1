// Cesa-Bianchi, "On-line learning" (slides): mistake bounds of the supervised first-order learners, which
// hold on every stream.

#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 30;

/// The comparator u/gamma, whose hinge loss is measured at margin 1.
struct Stretched {
  std::vector<double> u;
  Comparator summary;
};

Stretched stretched(const std::vector<double>& teacher, double gamma, const test::Stream& stream) {
  Stretched s{.u = teacher, .summary = {.norm = 1 / gamma, .gamma = 1, .loss = 0, .longest = 1}};
  for (double& v : s.u) v /= gamma;
  for (const auto& example : stream) s.summary.loss += test::hinge(s.u, example, 1);
  return s;
}

double mistakes_of(std::string_view learner, const test::Stream& stream) {
  return test::run_once(test::config_of(learner, "always"), {}, stream, std::vector<double>(dimension), 1)
      .mistakes;
}

class SlidesBounds : public testing::TestWithParam<std::tuple<double, double, std::uint64_t>> {};

TEST_P(SlidesBounds, hold_on_this_stream) {
  const auto [margin, noise, seed] = GetParam();
  std::mt19937_64 random(seed);
  const std::vector<double> teacher = test::random_teacher(random, dimension);
  const test::Stream stream = test::teacher_stream(seed, 2000, teacher, 12, margin, noise);
  const Stretched u = stretched(teacher, std::max(margin, 0.2), stream);
  EXPECT_LE(mistakes_of("perceptron", stream), perceptron_bound(u.summary));
  for (const double c : {0.1, 1.0, 10.0}) {
    EXPECT_LE(mistakes_of("pa-1:C=" + std::to_string(c), stream), pa_one_bound(u.summary, c)) << "C " << c;
  }
  if (u.summary.loss == 0) {
    EXPECT_LE(mistakes_of("pa", stream), hildreth_bound(u.summary));
  }
}

INSTANTIATE_TEST_SUITE_P(Streams, SlidesBounds,
                         testing::Combine(testing::Values(0.2, 0.3, 0.0), testing::Values(0.0, 0.1),
                                          testing::Values(1, 2, 3)));

// ALMA (part 6): on a separable stream of unit vectors ALMA stops updating; the margin of its hypothesis is
// then at least 1 - alpha times the margin of the teacher.
TEST(Alma, approaches_the_largest_margin) {
  constexpr double margin = 0.2;
  constexpr double alpha = 0.5;
  const test::Stream stream = test::teacher_stream(3, 300, 10, 10, margin);
  const auto sampler = make_sampler(test::config_of("alma:alpha=0.5", "always"), {});
  std::uint64_t updates = 0;
  do {
    updates = sampler->tally().updates;
    for (const auto& example : stream) sampler->tell(example.x(), example.y, sampler->ask(example.x()));
  } while (sampler->tally().updates > updates);
  double smallest = 1;
  for (const auto& example : stream) {
    smallest = std::min(smallest, sign(example.y) * sampler->margin(example.x()));
  }
  EXPECT_GE(smallest, (1 - alpha) * margin);
  // Gentile 2001, Theorem 3 (p = 2): at most 2/gamma^2 (2/alpha - 1)^2 + 8/alpha - 4 updates.
  EXPECT_LE(static_cast<double>(updates), 2 / (margin * margin) * std::pow(2 / alpha - 1, 2) + 8 / alpha - 4);
}

}  // namespace
}  // namespace askfew

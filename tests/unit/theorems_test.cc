#include "askfew/trials/theorems.h"

#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"
#include "askfew/trials/statistics.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 10;
constexpr std::uint64_t runs = 5;

/// A stream with its teacher, and one sampler that runs on it.
struct Scene {
  Scene(const SamplerConfig& chosen, double margin, double noise, bool unit_norm = true) : config(chosen) {
    std::mt19937_64 random(17);
    u = admissible(config, test::random_teacher(random, dimension));
    stream = test::teacher_stream(7, 400, u, dimension, margin, noise, unit_norm);
    for (const auto& example : stream) {
      x.push_back(example.x());
      y.push_back(example.y);
    }
    observed = observe_runs(config, {.key = {.seed = 3}, .dimension = dimension}, rows(), runs);
  }

  [[nodiscard]] LabelledRows rows() const { return {x, y}; }
  [[nodiscard]] std::vector<TheoremRow> theorems() const { return theorems_with(u); }
  [[nodiscard]] std::vector<TheoremRow> theorems_with(const std::vector<double>& comparator) const {
    return theorems_on(config, shape_of(rows(), dimension), observed,
                       ComparatorOnStream(comparator, rows(), observed));
  }

  SamplerConfig config;
  std::vector<double> u;
  test::Stream stream;
  std::vector<FeatureView> x;
  std::vector<Label> y;
  ObservedRuns observed;
};

TEST(ObservedRuns, equal_the_runs_of_the_sampler_with_each_seed) {
  const Scene scene(parse_preset("sel-p:b=0.3"), 0, 0.1);
  ASSERT_EQ(scene.observed.mistakes.size(), runs);
  std::vector<std::uint32_t> updates;
  for (std::uint64_t k = 0; k < runs; ++k) {
    const auto sampler = make_sampler(scene.config, {.key = {.seed = 3 + k}});
    double mistakes = 0;
    for (std::size_t t = 0; t < scene.x.size(); ++t) {
      const Query query = sampler->ask(scene.x[t]);
      if (query.prediction != scene.y[t]) ++mistakes;
      if (query.asked && sampler->tell(scene.x[t], scene.y[t], query)) {
        updates.push_back(static_cast<std::uint32_t>(t));
      }
    }
    EXPECT_EQ(scene.observed.mistakes[k], mistakes);
    EXPECT_EQ(scene.observed.asked[k], static_cast<double>(sampler->tally().asked));
    EXPECT_EQ(scene.observed.expected_asked[k], sampler->tally().expected_asked);
  }
  EXPECT_EQ(scene.observed.updates, updates);
}

TEST(StreamShape, knows_norms_and_components) {
  const std::vector<double> first{3, -4};
  const std::vector<double> second{0, 0};
  const std::vector<double> third{1, 0};
  const std::vector<FeatureView> x{FeatureView::dense(first), FeatureView::dense(second),
                                   FeatureView::dense(third)};
  const std::vector<Label> y(3, Label::positive);
  const StreamShape shape = shape_of({x, y}, 2);
  EXPECT_EQ(shape.longest, 5);
  EXPECT_EQ(shape.shortest, 1);
  EXPECT_EQ(shape.largest_component, 4);
}

TEST(Theorems, the_bound_is_the_smallest_over_gamma) {
  const Scene scene(parse_preset("sel-p:b=0.3"), 0, 0.1);
  const std::vector<TheoremRow> rows = scene.theorems();
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows[0].theorem, "2006, Theorem 1");
  // From the papers' definitions, with the expectation over the coins as a mean over the runs.
  const auto bound_at = [&](double gamma) {
    double loss = 0;
    for (const std::uint32_t t : scene.observed.updates) {
      loss += std::max(0.0, gamma - sign(scene.y[t]) * test::dot(scene.u, scene.stream[t])) / runs;
    }
    return selective_perceptron_bound({.norm = 1, .gamma = gamma, .loss = loss, .longest = 1}, 0.3);
  };
  EXPECT_NEAR(rows[0].bound, bound_at(rows[0].gamma), 1e-6 * rows[0].bound);
  for (double gamma = 1e-3; gamma < 1e3; gamma *= 1.01) {
    EXPECT_LE(rows[0].bound, bound_at(gamma) * (1 + 1e-9)) << gamma;
  }
  EXPECT_GE(*rows[0].over_all_rounds, rows[0].bound);
}

TEST(Theorems, bounds_depend_only_on_the_direction_of_the_comparator) {
  for (const char* sampler : {"sel-p", "sel-ada", "sel-2nd", "lasec-ss", "perc", "pa-i", "hildreth"}) {
    const Scene scene(parse_preset(sampler), 0.1, 0);
    std::vector<double> longer = scene.u;
    for (double& weight : longer) weight *= 1000;
    EXPECT_NEAR(scene.theorems()[0].bound, scene.theorems_with(longer)[0].bound,
                1e-6 * scene.theorems()[0].bound)
        << sampler;
  }
}

class TheoremsOnPresets : public testing::TestWithParam<const char*> {};

TEST_P(TheoremsOnPresets, hold_for_the_teacher) {
  for (const double noise : {0.0, 0.1}) {
    const Scene scene(parse_preset(GetParam()), 0.1, noise);
    const Sample mistakes = sample_of(scene.observed.mistakes);
    std::size_t applied = 0;
    for (const TheoremRow& row : scene.theorems()) {
      if (!row.why_not.empty()) continue;
      ++applied;
      EXPECT_LE(mistakes.mean - 4 * mistakes.standard_error, row.bound * (1 + 1e-9)) << row.theorem;
      EXPECT_GT(row.gamma, 0);
    }
    EXPECT_TRUE(applied > 0 || noise > 0) << GetParam();
  }
}

INSTANTIATE_TEST_SUITE_P(All, TheoremsOnPresets,
                         testing::Values("sel-p", "sel-ada", "sel-2nd", "sel-winnow", "sop", "lasec",
                                         "lasec-ss", "perc", "hildreth", "pa-i", "romma", "ellipsoid",
                                         "volumetric-center", "gravity-center"));

/// Why the only, or the first, theorem about a sampler does not apply.
std::string why_not(const Scene& scene) {
  return scene.theorems().at(0).why_not;
}

TEST(Theorems, a_theorem_whose_condition_is_not_met_says_what_it_needs) {
  const auto begins = [](const std::string& text, std::string_view with) {
    EXPECT_EQ(text.substr(0, with.size()), with);
  };
  begins(why_not(Scene(parse_preset("perc"), 0, 0, false)), "needs |x| = 1, but |x| is ");
  begins(why_not(Scene(parse_preset("pa-i"), 0, 0, false)), "needs |x| = 1, but |x| is ");
  begins(why_not(Scene(parse_preset("hildreth"), 0, 0.1)), "needs a u that is right about every round");
  begins(why_not(Scene(parse_preset("ellipsoid"), 0, 0.1)), "needs a u that is right about every round");
  begins(why_not(Scene(parse_preset("gravity-center:samples=7"), 0.1, 0)),
         "needs gravity-center with samples");
  begins(why_not(Scene(parse_preset("volumetric-center:U=2"), 0.1, 0)),
         "needs volumetric-center with U of at least");
  begins(why_not(Scene(parse_preset("sel-p:rate=2"), 0.1, 0)), "needs perceptron with rate = 1");
  begins(why_not(Scene(parse_preset("sel-2nd:a=2"), 0.1, 0)), "needs second-order with a = 1");
  begins(why_not(Scene(parse_preset("ss"), 0.1, 0)), "is stated up to a constant");
  SamplerConfig asked = parse_preset("sel-p");
  asked.update = UpdatePolicy::asked;
  begins(why_not(Scene(asked, 0.1, 0)), "needs the update policy mistake");
  const std::vector<TheoremRow> lasec = Scene(parse_preset("lasec"), 0.1, 0).theorems();
  ASSERT_EQ(lasec.size(), 2);
  EXPECT_EQ(lasec[0].why_not, "");
  begins(lasec[1].why_not, "needs c tuned to the drift");
}

TEST(Theorems, most_pairs_have_no_theorem) {
  EXPECT_TRUE(Scene(parse_preset("pa-log"), 0.1, 0).theorems().empty());
}

}  // namespace
}  // namespace askfew

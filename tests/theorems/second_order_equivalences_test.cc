// Second-order samplers that must behave in the same way: the same decisions, and exact margins equal to
// 1e-9.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "askfew/learners/arow.h"
#include "askfew/learners/lasec.h"
#include "askfew/learners/second_order.h"

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

struct NamedStream {
  const char* name;
  test::Stream examples;
};

/// Every round can have features that were never seen before.
test::Stream growing(std::size_t rounds, std::size_t nonzeros) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> uniform;
  const std::vector<double> u = test::random_teacher(random, nonzeros + rounds / 8);
  test::Stream stream;
  for (std::size_t t = 0; t < rounds; ++t) {
    auto example = test::random_instance(random, nonzeros + t / 8, nonzeros, true);
    example.y = (test::dot(u, example) > 0) != (uniform(random) < 0.1) ? Label::positive : Label::negative;
    stream.push_back(std::move(example));
  }
  return stream;
}

/// Like `growing` for the first half, then without new features: more examples are stored than there are
/// features.
test::Stream grown(std::size_t rounds) {
  test::Stream stream = growing(rounds / 2, 5);
  for (auto& example : test::teacher_stream(32, rounds / 2, 5 + rounds / 16, 6, 0, 0.25)) {
    stream.push_back(std::move(example));
  }
  return stream;
}

const std::vector<NamedStream>& streams() {
  static const std::vector<NamedStream> all{{"sparse", test::teacher_stream(33, 400, 60, 6, 0, 0.15)},
                                            {"dense", test::teacher_stream(34, 300, 12, 12, 0, 0.15)},
                                            {"scales", test::teacher_stream(35, 300, 20, 8, 0, 0.1, false)},
                                            {"growing", growing(400, 5)},
                                            {"grown", grown(500)}};
  return all;
}

const std::vector<std::string> rules{"margin:b=0.2",       "log-threshold:c=1", "random:q=0.5",
                                     "variance:kappa=0.4", "dgs:alpha=0.01",    "always"};

void expect_the_same(const SamplerConfig& a, const SamplerConfig& b, const Setting& setting,
                     const test::Stream& stream, double tolerance = 1e-9) {
  const auto first = make_sampler(a, setting, Exactness::exact);
  const auto second = make_sampler(b, setting, Exactness::exact);
  for (const auto& example : stream) {
    const Query p = first->ask(example.x());
    const Query q = second->ask(example.x());
    ASSERT_NEAR(p.score.margin, q.score.margin, tolerance * std::max(1.0, std::abs(p.score.margin)))
        << "round " << p.round;
    ASSERT_EQ(p.prediction, q.prediction) << "round " << p.round;
    ASSERT_EQ(p.asked, q.asked) << "round " << p.round;
    if (!p.asked) continue;
    ASSERT_EQ(first->tell(example.x(), example.y, p), second->tell(example.x(), example.y, q))
        << "round " << p.round;
  }
  ASSERT_GT(first->tally().updates, 20U);  // something was compared
}

class SecondOrderEquivalence : public testing::TestWithParam<std::size_t> {
 protected:
  const test::Stream& stream_ = streams()[GetParam()].examples;
};
INSTANTIATE_TEST_SUITE_P(Streams, SecondOrderEquivalence, testing::Range<std::size_t>(0, streams().size()),
                         [](const auto& which) { return std::string(streams()[which.param].name); });

// Moroshko, Crammer 2014, section 3: "for c = infinity the LASEC algorithm is reduced to the second-order
// perceptron algorithm", with a = b.
TEST_P(SecondOrderEquivalence, lasec_with_a_huge_c_equals_second_order) {
  for (const std::string& rule : rules) {
    for (const double b : {0.5, 1.0, 4.0}) {
      SCOPED_TRACE(fmt::format("{}, b {}", rule, b));
      expect_the_same(test::config_of(fmt::format("lasec:b={},c=1e12", b), rule),
                      test::config_of(fmt::format("second-order:a={}", b), rule), {.key = {.seed = 6}},
                      stream_);
    }
  }
}

TEST_P(SecondOrderEquivalence, second_order_with_the_policy_asked_equals_rls) {
  for (const std::string& rule : rules) {
    SCOPED_TRACE(rule);
    SamplerConfig second_order = test::config_of("second-order:a=0.7", rule);
    second_order.update = UpdatePolicy::asked;
    expect_the_same(second_order, test::config_of("rls:a=0.7", rule), {.key = {.seed = 6}}, stream_, 0);
  }
}

TEST_P(SecondOrderEquivalence, margin_with_a_huge_b_asks_for_every_label) {
  for (const char* learner :
       {"second-order", "rls", "lasec", "arow", "second-order-diagonal", "arow-diagonal"}) {
    SCOPED_TRACE(learner);
    expect_the_same(test::config_of(learner, "margin:b=1e300"), test::config_of(learner, "always"), {},
                    stream_, 0);
  }
}

// With so many features the automatic form starts with the dual form.
constexpr FeatureView::Index many = 5'000;

TEST_P(SecondOrderEquivalence, the_primal_the_dual_and_the_automatic_form_agree) {
  for (const char* learner : {"second-order:a=0.5", "rls", "lasec:b=1,c=20", "arow:r=2"}) {
    const std::string form =
        std::string(learner) + (std::string_view(learner) == "rls" ? ":" : ",") + "form=";
    for (const std::string& rule : rules) {
      SCOPED_TRACE(form + " " + rule);
      const SamplerConfig primal = test::config_of(form + "primal", rule);
      expect_the_same(primal, test::config_of(form + "dual", rule), {.key = {.seed = 6}}, stream_);
      expect_the_same(primal, test::config_of(form + "auto", rule), {.key = {.seed = 6}}, stream_);
      expect_the_same(primal, test::config_of(form + "auto", rule), {.key = {.seed = 6}, .dimension = many},
                      stream_);
    }
  }
}

// The automatic form changes to the primal form during the stream if more examples are stored than there are
// features, and does not change if there are always more features.
template <class L>
std::size_t round_of_turning(const test::Stream& stream) {
  L learner({}, {.dimension = many});
  EXPECT_TRUE(learner.core().is_dual());
  for (std::size_t t = 0; t < stream.size(); ++t) {
    learner.update(stream[t].x(), stream[t].y, learner.margin(stream[t].x()));
    if (!learner.core().is_dual()) return t;
  }
  return stream.size();
}

TEST(AutomaticForm, becomes_primal_when_more_examples_are_stored_than_there_are_features) {
  EXPECT_EQ(round_of_turning<Rls>(streams()[1].examples), 12U);
  EXPECT_EQ(round_of_turning<Lasec>(streams()[1].examples), 12U);
  EXPECT_EQ(round_of_turning<Arow>(streams()[1].examples), 12U);
  EXPECT_GT(round_of_turning<SecondOrder>(streams()[0].examples), 50U);
  EXPECT_LT(round_of_turning<SecondOrder>(streams()[0].examples), 70U);
}

// If each instance has one feature, all entries off the diagonal are zero.
TEST(DiagonalForm, equals_the_full_form_on_instances_of_one_feature) {
  const test::Stream stream = test::teacher_stream(36, 1500, 15, 1, 0, 0.3, false);
  for (const std::string& rule : rules) {
    SCOPED_TRACE(rule);
    const Setting setting{.key = {.seed = 6}};
    expect_the_same(test::config_of("second-order-diagonal:a=0.5", rule),
                    test::config_of("second-order:a=0.5", rule), setting, stream);
    expect_the_same(test::config_of("arow-diagonal:r=2", rule), test::config_of("arow:r=2", rule), setting,
                    stream);
  }
}

}  // namespace
}  // namespace askfew

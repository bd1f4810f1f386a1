// The second-order learners at the limits of floating-point numbers.

#include <gtest/gtest.h>

#include "askfew/catalog/catalog.h"

#include "tests/streams.h"

namespace askfew {
namespace {

/// The error of a run of second-order over these instances; each label is chosen so that it makes an update.
/// Empty if there is none.
std::string complaint(const std::string& learner, const std::vector<std::vector<double>>& instances) {
  const auto sampler = make_sampler(
      {.learner = parse_learner(learner), .rule = parse_rule("always"), .update = UpdatePolicy::asked}, {});
  try {
    for (std::size_t t = 0; t < instances.size(); ++t) {
      const FeatureView x = FeatureView::dense(instances[t]);
      sampler->tell(x, t % 3 == 0 ? Label::positive : Label::negative, sampler->ask(x));
    }
  } catch (const NumericError& error) {
    return error.what();
  }
  return "";
}

/// Instances around a point far from 0, where rounding hides the differences that matter.
std::vector<std::vector<double>> far_away(double distance) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> instances(300, std::vector<double>(10));
  for (auto& x : instances) {
    for (double& component : x) component = distance * (1 + 0.1 * normal(random));
  }
  return instances;
}

TEST(Covariance, the_run_stops_once_rounding_has_made_the_matrix_useless) {
  EXPECT_EQ(complaint("second-order", far_away(1'000)), "");
  for (const char* form : {"primal", "dual"}) {
    const std::string learner = std::string("second-order:form=") + form;
    EXPECT_EQ(complaint(learner, far_away(10)), "");
    const std::string stopped = complaint(learner, far_away(1e8));
    EXPECT_TRUE(stopped.starts_with("round ")) << stopped;
    EXPECT_NE(stopped.find("matrix"), std::string::npos) << stopped;
    EXPECT_EQ(complaint("lasec:form=" + std::string(form), far_away(1e-160)), "");
  }
}

TEST(Covariance, changing_from_dual_to_primal_changes_no_decision) {
  const test::Stream stream = test::teacher_stream(5, 300, 20, 6, 0, 0.2);
  const auto make = [](const char* learner, FeatureView::Index dimension) {
    return make_sampler({.learner = parse_learner(learner), .rule = parse_rule("margin:b=0.1")},
                        {.key = {.seed = 3}, .dimension = dimension});
  };
  const auto primal = make("lasec:form=primal", 20);
  const auto turning = make("lasec:form=auto",
                            5'000);  // with so many features the form is dual until more examples are stored
  for (const auto& example : stream) {
    const Query a = primal->ask(example.x());
    const Query b = turning->ask(example.x());
    ASSERT_EQ(a.asked, b.asked);
    ASSERT_EQ(a.prediction, b.prediction);
    ASSERT_NEAR(a.score.margin, b.score.margin, 1e-9);
    if (!a.asked) continue;
    primal->tell(example.x(), example.y, a);
    turning->tell(example.x(), example.y, b);
  }
  EXPECT_GT(primal->tally().updates, 25U);
}

TEST(Covariance, zero_vectors_and_repeated_instances_do_not_stop_the_run) {
  for (const char* learner : {"rls:form=primal", "rls:form=dual", "rls", "lasec:c=2", "kernel-rls", "arow"}) {
    std::vector<std::vector<double>> instances(300, std::vector<double>(3, 0.0));
    for (std::size_t t = 0; t < instances.size(); ++t) instances[t][0] = t % 2 == 0 ? 0 : 1;
    EXPECT_EQ(complaint(learner, instances), "") << learner;
  }
}

}  // namespace
}  // namespace askfew

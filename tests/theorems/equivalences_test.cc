// Samplers that must behave in the same way.

#include <gtest/gtest.h>

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

void expect_the_same(const SamplerConfig& a, const SamplerConfig& b, double tolerance) {
  const Setting setting{.key = {.seed = 5}, .dimension = 40};
  const auto first = make_sampler(a, setting);
  const auto second = make_sampler(b, setting);
  for (const auto& example : test::teacher_stream(21, 2000, 40, 8, 0, 0.15)) {
    const Query p = first->ask(example.x());
    const Query q = second->ask(example.x());
    ASSERT_NEAR(p.score.margin, q.score.margin, tolerance) << "round " << p.round;
    ASSERT_EQ(p.asked, q.asked) << "round " << p.round;
    if (!p.asked) continue;
    ASSERT_EQ(first->tell(example.x(), example.y, p), second->tell(example.x(), example.y, q));
  }
}

TEST(Equivalence, p_norm_with_p_2_equals_the_perceptron) {
  expect_the_same(test::config_of("p-norm:p=2", "margin:b=0.5"),
                  test::config_of("perceptron", "margin:b=0.5"), 0);
}

TEST(Equivalence, a_budget_that_is_never_reached_changes_nothing) {
  expect_the_same(test::config_of("budget:B=100000", "margin:b=0.5"),
                  test::config_of("perceptron", "margin:b=0.5"), 1e-12);
}

TEST(Equivalence, margin_with_a_huge_b_asks_for_every_label) {
  expect_the_same(test::config_of("perceptron", "margin:b=1e300"), test::config_of("perceptron", "always"),
                  0);
}

TEST(Equivalence, adaptive_with_a_huge_beta_asks_for_every_label) {
  expect_the_same(test::config_of("perceptron", "adaptive:beta=1e290"),
                  test::config_of("perceptron", "always"), 0);
}

TEST(Equivalence, random_with_q_1_asks_for_every_label) {
  expect_the_same(test::config_of("winnow", "random:q=1"), test::config_of("winnow", "always"), 0);
}

TEST(Equivalence, pa_1_and_pa_2_with_a_huge_c_equal_pa) {
  expect_the_same(test::config_of("pa-1:C=1e300", "margin:b=0.5"), test::config_of("pa", "margin:b=0.5"), 0);
  expect_the_same(test::config_of("pa-2:C=1e300", "margin:b=0.5"), test::config_of("pa", "margin:b=0.5"),
                  1e-12);
}

TEST(Equivalence, shifting_with_a_tiny_lambda_equals_the_perceptron) {
  expect_the_same(test::config_of("shifting:lambda=1e-300", "margin:b=0.5"),
                  test::config_of("perceptron", "margin:b=0.5"), 0);
}

// The same algorithm in primal and in dual variables: the sums are equal up to rounding.
TEST(Equivalence, a_linear_kernel_equals_the_primal_form) {
  for (const char* rule : {"margin:b=0.5", "always"}) {
    const auto expect = [&](const char* kernel, const char* primal) {
      SCOPED_TRACE(kernel);
      expect_the_same(test::config_of(kernel, rule), test::config_of(primal, rule), 1e-9);
    };
    expect("kernel-perceptron:kernel=linear,rate=0.5", "perceptron:rate=0.5");
    expect("kernel-pa:kernel=linear", "pa");
    expect("kernel-pa-1:kernel=linear,C=0.1", "pa-1:C=0.1");
    expect("kernel-pa-2:kernel=linear,C=0.1", "pa-2:C=0.1");
    expect("kernel-alma:kernel=linear", "alma");
    expect("kernel-budget:kernel=linear,B=30", "budget:B=30");
    expect("kernel-perceptron:kernel=polynomial,degree=1,offset=0", "perceptron");
  }
}

TEST(Equivalence, kernel_budgets_that_are_never_reached_change_nothing) {
  for (const char* learner : {"kernel-budget:B=100000", "forgetron:B=100000"}) {
    expect_the_same(test::config_of(learner, "margin:b=0.5"),
                    test::config_of("kernel-perceptron", "margin:b=0.5"), 0);
  }
}

// An instance in the span of the supports is written in terms of them and changes no margin; with the linear
// kernel 40 supports span everything.
TEST(Equivalence, projectron_with_a_tiny_eta_equals_the_kernel_perceptron) {
  expect_the_same(test::config_of("projectron:kernel=linear,eta=1e-4", "margin:b=0.5"),
                  test::config_of("kernel-perceptron:kernel=linear", "margin:b=0.5"), 1e-6);
  expect_the_same(test::config_of("projectron:eta=1e-4", "margin:b=0.5"),
                  test::config_of("kernel-perceptron", "margin:b=0.5"), 1e-6);
}

TEST(Equivalence, single_precision_nearly_equals_double_precision) {
  for (const char* learner : {"kernel-perceptron", "forgetron:B=50"}) {
    AlgorithmSpec single = parse_learner(learner);
    single.params["precision"] = 1;
    expect_the_same(test::config_of(learner, "always"), {.learner = single, .rule = parse_rule("always")},
                    1e-3);
  }
}

// Blum et al.: step 1 of the modified Perceptron leaves no component of the hypothesis in the direction of x.
TEST(Equivalence, reflect_with_step_1_makes_the_margin_of_the_instance_0) {
  const auto sampler = make_sampler(test::config_of("reflect:step=1", "always"), {});
  for (const auto& example : test::teacher_stream(22, 500, 40, 8)) {
    const Query query = sampler->ask(example.x());
    if (sampler->tell(example.x(), example.y, query)) {
      ASSERT_NEAR(sampler->margin(example.x()), 0, 1e-12);
    }
  }
}

}  // namespace
}  // namespace askfew

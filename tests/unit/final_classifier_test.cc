#include "askfew/models/final_classifier.h"

#include <cstring>
#include <gtest/gtest.h>

#include "askfew/models/model.h"
#include "askfew/system/memory_limit.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 12;
constexpr double delta = 0.05;

double margin_of(const std::vector<double>& w, const test::SparseExample& example) {
  return test::dot(w, example);
}

/// All weights of a sampler, from its margins on the unit vectors.
std::vector<double> weights_of(const AnySampler& sampler) {
  std::vector<double> weights;
  std::vector<double> unit(dimension);
  for (double& component : unit) {
    component = 1;
    weights.push_back(sampler.margin(FeatureView::dense(unit)));
    component = 0;
  }
  return weights;
}

/// A run that keeps all hypotheses, compared with a run that does not.
struct MonitoredRun {
  MonitoredRun(std::string_view learner, std::string_view rule, FinalChoice choice, std::uint64_t seed = 5,
               std::size_t rounds = 300)
      : stream(test::teacher_stream(seed, rounds, dimension, 5, 0, 0.1)) {
    SamplerConfig config{.learner = parse_learner(learner), .rule = parse_rule(rule)};
    config.update = standard_policy(config.learner);
    sampler = make_sampler(config, {.key = {.seed = seed}});
    OnlineToBatch watch(choice, config.learner, *sampler, nullptr);
    for (const auto& example : stream) {
      hypotheses.push_back(weights_of(*sampler));
      const Query query = sampler->ask(example.x());
      mistakes.push_back(query.prediction != example.y);
      const bool updated = query.asked && sampler->tell(example.x(), example.y, query);
      const FeatureView x = example.x();
      watch.observe(x, {.query = query, .label = number_of(example.y), .updated = updated});
    }
    last = weights_of(*sampler);
    final_classifier = watch.finish(delta);
  }

  /// The test of hypothesis H_t on the rounds after t.
  [[nodiscard]] TestedHypothesis tested(std::size_t t) const {
    TestedHypothesis result{.round = t};
    for (std::size_t k = t; k < stream.size(); ++k) {
      result.test(sgn(margin_of(hypotheses[t], stream[k])) != stream[k].y);
    }
    return result;
  }

  test::Stream stream;
  std::unique_ptr<AnySampler> sampler;
  std::vector<std::vector<double>> hypotheses;  ///< w_0, ..., w_(n-1)
  std::vector<double> last;                     ///< w_n
  std::vector<bool> mistakes;
  FinalClassifier final_classifier;
};

using Pair = std::tuple<std::string, const char*>;
class FinalClassifierOf : public testing::TestWithParam<Pair> {
 protected:
  static MonitoredRun run(FinalChoice choice) {
    return {std::get<0>(GetParam()), std::get<1>(GetParam()), choice};
  }
};

TEST_P(FinalClassifierOf, average_is_the_mean_of_all_hypotheses_that_predicted) {
  const MonitoredRun run = FinalClassifierOf::run(FinalChoice::average);
  const std::vector<double> weights = weights_of(*run.sampler);
  for (std::size_t i = 0; i < dimension; ++i) {
    double mean = 0;
    for (const auto& w : run.hypotheses) mean += w[i] / static_cast<double>(run.hypotheses.size());
    EXPECT_NEAR(weights[i], mean, 1e-12);
  }
}

TEST_P(FinalClassifierOf, average_has_the_smallest_bound_of_all_scales) {
  const MonitoredRun run = FinalClassifierOf::run(FinalChoice::average);
  const auto n = static_cast<double>(run.stream.size());
  double largest = 0;
  double longest = 0;
  for (const auto& w : run.hypotheses) largest = std::max(largest, std::sqrt(FeatureView::sum_of_squares(w)));
  for (const auto& example : run.stream) longest = std::max(longest, std::sqrt(example.x().squared_norm()));
  const double k = std::ceil(std::log2(largest));
  const auto price = [](double j) { return (std::abs(j) + 1) * (std::abs(j) + 2); };
  double least = infinity;
  for (int j = -32; j <= 32; ++j) {
    const double s = std::exp2(j);
    double loss = 0;
    for (std::size_t t = 0; t < run.stream.size(); ++t) {
      loss += std::max(0.0, 1 - sign(run.stream[t].y) * margin_of(run.hypotheses[t], run.stream[t]) / s);
    }
    const double paid = delta / (2.25 * price(j) * price(k));
    least = std::min(least,
                     loss / n + (1 + std::exp2(k) * longest / s) * std::sqrt(std::log(1 / paid) / (2 * n)));
  }
  EXPECT_NEAR(run.final_classifier.average.bound, least, 1e-9);
  EXPECT_EQ(run.final_classifier.risk_bound, std::min(1.0, run.final_classifier.average.bound));
}

TEST_P(FinalClassifierOf, penalized_is_the_best_of_all_hypotheses_on_the_rounds_after_them) {
  const MonitoredRun run = FinalClassifierOf::run(FinalChoice::penalized);
  double least = infinity;
  std::size_t best = 0;
  for (std::size_t t = 0; t < run.stream.size(); ++t) {
    const double risk = run.tested(t).penalized_risk(delta);
    if (risk < least) {
      least = risk;
      best = t;
    }
  }
  EXPECT_EQ(run.final_classifier.tested.round, best);
  EXPECT_EQ(run.final_classifier.tested.errors, run.tested(best).errors);
  EXPECT_EQ(run.final_classifier.tested.tests, run.stream.size() - best);
  EXPECT_DOUBLE_EQ(run.final_classifier.risk_bound, std::min(1.0, least));
  EXPECT_EQ(weights_of(*run.sampler), run.hypotheses[best]);
}

TEST_P(FinalClassifierOf, last_is_tested_on_the_rounds_since_its_last_change) {
  const MonitoredRun run = FinalClassifierOf::run(FinalChoice::last);
  std::size_t born = run.stream.size();
  while (born > 0 && run.hypotheses[born - 1] == run.last) --born;
  EXPECT_EQ(run.final_classifier.tested.round, born);
  EXPECT_EQ(run.final_classifier.tested.tests, run.stream.size() - born);
  std::uint64_t errors = 0;
  for (std::size_t t = born; t < run.stream.size(); ++t) errors += run.mistakes[t] ? 1 : 0;
  EXPECT_EQ(run.final_classifier.tested.errors, errors);
  EXPECT_EQ(weights_of(*run.sampler), run.last);
}

std::vector<std::string> learners_with_local_weights() {
  std::vector<std::string> specs;
  for (const LearnerEntry& entry : learner_entries()) {
    if (!offers(entry, "local-weights")) continue;
    specs.insert(specs.end(), entry.test_specs.begin(), entry.test_specs.end());
  }
  return specs;
}

INSTANTIATE_TEST_SUITE_P(Learners, FinalClassifierOf,
                         testing::Combine(testing::ValuesIn(learners_with_local_weights()),
                                          testing::Values("always", "margin:b=0.1", "random:q=0.05")));

TEST(FinalClassifier, last_works_with_every_learner) {
  for (const LearnerEntry& entry : learner_entries()) {
    const auto sampler = make_sampler(
        {.learner = parse_learner(entry.info.name), .rule = parse_rule("always")}, {.dimension = 3});
    EXPECT_NO_THROW(OnlineToBatch(FinalChoice::last, parse_learner(entry.info.name), *sampler, nullptr));
  }
}

TEST(FinalClassifier, the_refusal_of_average_and_penalized_names_the_learners_that_support_them) {
  const auto sampler = make_sampler(parse_preset("sel-2nd"), {});
  std::string known;
  for (const LearnerEntry& entry : learner_entries()) {
    if (offers(entry, "local-weights")) known += (known.empty() ? "" : ", ") + std::string(entry.info.name);
  }
  EXPECT_EQ(known.substr(0, 14), "perceptron, st");
  for (const FinalChoice choice : {FinalChoice::average, FinalChoice::penalized}) {
    try {
      OnlineToBatch(choice, parse_learner("second-order"), *sampler, nullptr);
      FAIL() << "second-order is not refused";
    } catch (const ConfigError& error) {
      EXPECT_EQ(std::string(error.what()),
                "the " + std::string(text_of(choice)) +
                    " classifier of a run is not known for second-order, only for: " + known);
    }
  }
}

TEST(FinalClassifier, tasks_with_shared_weights_have_the_same_result_as_separate_tasks) {
  const test::Stream stream = test::teacher_stream(9, 200, dimension, 6, 0, 0.1);
  ModelConfig together{.sampler = parse_preset("pa-i")};
  together.labels = {LabelPlan::Kind::one_per_label, {"a", "b", "c"}};
  for (const FinalChoice choice : {FinalChoice::average, FinalChoice::penalized}) {
    Model model = make_model(together);
    ASSERT_NE(model.tasks[0].shared, nullptr);
    for (std::size_t k = 0; k < 3; ++k) {
      AnySampler& shared = *model.tasks[k].sampler;
      const auto own = make_sampler(together.sampler, {.key = {.seed = together.seed, .task = k}});
      OnlineToBatch watch_shared(choice, together.sampler.learner, shared, nullptr);
      OnlineToBatch watch_own(choice, together.sampler.learner, *own, nullptr);
      for (const auto& example : stream) {
        const FeatureView x = example.x();
        for (auto [sampler, watch] : {std::pair(&shared, &watch_shared), std::pair(own.get(), &watch_own)}) {
          const Query query = sampler->ask(x);
          const bool updated = query.asked && sampler->tell(x, example.y, query);
          watch->observe(x, {.query = query, .label = number_of(example.y), .updated = updated});
        }
      }
      EXPECT_EQ(watch_shared.finish(delta).risk_bound, watch_own.finish(delta).risk_bound);
      EXPECT_EQ(weights_of(shared), weights_of(*own));
    }
  }
}

TEST(FinalClassifier, hypotheses_are_charged_to_the_memory_limit) {
  const auto sampler = make_sampler(parse_preset("perc"), {});
  OnlineToBatch watch(FinalChoice::penalized, parse_learner("perceptron"), *sampler,
                      std::make_shared<MemoryLimit>(2000));
  const auto run = [&] {
    for (const auto& example : test::teacher_stream(1, 500, dimension, 5, 0, 0.3)) {
      const FeatureView x = example.x();
      const Query query = sampler->ask(x);
      const bool updated = sampler->tell(x, example.y, query);
      watch.observe(x, {.query = query, .label = number_of(example.y), .updated = updated});
    }
  };
  EXPECT_THROW(run(), MemoryError);
}

TEST(TestedHypothesis, has_a_larger_penalty_the_less_it_was_tested) {
  const TestedHypothesis none{.round = 7};
  EXPECT_EQ(none.penalized_risk(delta), infinity);
  const TestedHypothesis some{.round = 40, .tests = 60, .errors = 3};
  const double risk = some.penalized_risk(delta);
  const double kl = 0.05 * std::log(0.05 / risk) + 0.95 * std::log(0.95 / (1 - risk));
  EXPECT_NEAR(60 * kl, std::log(100 / delta), 1e-9);
  EXPECT_LT(risk, 3.0 / 60 + std::sqrt(std::log(100 / delta) / 120)) << "Hoeffding's bound is larger";
  EXPECT_EQ(some.next().round, 100);
  EXPECT_EQ(some.next().tests, 0);
}

TEST(TestedHypothesis, without_an_error_the_bound_is_that_of_a_run_of_successes) {
  const TestedHypothesis last{.round = 1201, .tests = 799};
  EXPECT_NEAR(last.penalized_risk(0.05), 1 - std::pow(0.05 / 2000, 1.0 / 799), 1e-12);
  EXPECT_EQ((TestedHypothesis{.round = 3, .tests = 5, .errors = 5}).penalized_risk(0.05), 1);
}

/// The bound fails if a hypothesis has fewer errors than its risk suggests: summed over all numbers of
/// errors.
TEST(TestedHypothesis, the_bound_fails_with_a_probability_below_delta_over_n) {
  for (const std::uint64_t tests : {1U, 7U, 60U}) {
    const std::uint64_t before = 100 - tests;
    for (const double risk : {0.001, 0.05, 0.3, 0.9}) {
      double failing = 0;
      for (std::uint64_t errors = 0; errors <= tests; ++errors) {
        if (TestedHypothesis{before, tests, errors}.penalized_risk(delta) >= risk) continue;
        const auto k = static_cast<double>(errors);
        const auto n = static_cast<double>(tests);
        failing += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                            k * std::log(risk) + (n - k) * std::log1p(-risk));
      }
      EXPECT_LE(failing, delta / 100) << tests << " tests, risk " << risk;
    }
  }
}

// The bounds hold with probability 1 - delta; they are so loose that they hold on every seed.
TEST(FinalClassifier, the_risk_is_below_its_bound) {
  for (const FinalChoice choice : {FinalChoice::last, FinalChoice::average, FinalChoice::penalized}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      // One teacher and one stream for both: the run uses the first examples, the others are new.
      const MonitoredRun run("perceptron", "margin:b=0.3", choice, seed, 600);
      const test::Stream longer = test::teacher_stream(seed, 3000, dimension, 5, 0, 0.1);
      ASSERT_EQ(longer[599].values, run.stream[599].values);
      double errors = 0;
      for (std::size_t t = 600; t < longer.size(); ++t) {
        if (sgn(run.sampler->margin(longer[t].x())) != longer[t].y) ++errors;
      }
      EXPECT_LE(errors / 2400, run.final_classifier.risk_bound);
    }
  }
}

}  // namespace
}  // namespace askfew

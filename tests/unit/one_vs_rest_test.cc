#include "askfew/protocol/one_vs_rest.h"

#include <gtest/gtest.h>

#include "askfew/models/model.h"
#include "askfew/models/model_file.h"

#include "tests/streams.h"
#include "tests/unit/fake_sampler.h"

namespace askfew {
namespace {

TEST(TopTwo, gives_the_class_with_the_largest_margin_and_its_distance_to_the_second) {
  const TopTwo top = top_two(std::vector<double>{-3, 2, 0.5});
  EXPECT_EQ(top.first, 1);
  EXPECT_EQ(top.margin, 1.5);
}

TEST(TopTwo, gives_the_first_of_equal_classes_with_margin_zero) {
  const TopTwo top = top_two(std::vector<double>{-1, -0.5, -0.5});
  EXPECT_EQ(top.first, 1);
  EXPECT_EQ(top.margin, 0);
}

constexpr std::size_t classes = 4;

ModelConfig config_of(const std::string& learner, const std::string& rule) {
  ModelConfig config{.sampler = {.learner = parse_learner(learner), .rule = parse_rule(rule)}, .seed = 3};
  config.sampler.update = standard_policy(config.sampler.learner);
  config.labels = {LabelPlan::Kind::one_of, {"0", "1", "2", "3"}};
  return config;
}

/// The class is the largest of the first four features, with some noise.
struct Example {
  test::SparseExample instance;
  std::size_t truth = 0;
};
std::vector<Example> make_examples(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Example> examples;
  for (std::size_t k = 0; k < count; ++k) {
    Example example{.instance = test::random_instance(random, 12, 12, true)};
    const auto& values = example.instance.values;
    example.truth = random() % 10 == 0
                        ? random() % classes
                        : static_cast<std::size_t>(
                              std::max_element(values.begin(), values.begin() + classes) - values.begin());
    examples.push_back(std::move(example));
  }
  return examples;
}

Round round(Model& model, const Example& example) {
  OneVsRest task(model.tasks, *model.decisions);
  const Round query = task.ask(example.instance.x());
  if (query.query.asked) task.tell(example.instance.x(), static_cast<LabelNumber>(example.truth), query);
  return query;
}

TEST(OneVsRest, asks_by_the_difference_of_the_two_largest_margins_with_one_coin) {
  Model model = make_model(config_of("pa-1", "margin:b=0.2"), {.exactness = Exactness::exact});
  Coin coin({.seed = 3, .task = 0});
  std::size_t asked = 0;
  for (const Example& example : make_examples(1, 400)) {
    std::vector<double> margins;
    for (const Task& task : model.tasks) margins.push_back(task.sampler->margin(example.instance.x()));
    const TopTwo top = top_two(margins);
    const Round query = round(model, example);
    ASSERT_EQ(query.prediction, top.first);
    ASSERT_EQ(query.query.score.margin, top.margin);
    ASSERT_EQ(query.query.probability, 0.2 / (0.2 + top.margin));
    ASSERT_EQ(query.query.coin, coin(query.query.round));
    asked += query.query.asked ? 1 : 0;
  }
  EXPECT_EQ(model.decisions->tally().asked, asked);
  EXPECT_GT(asked, 100);
  EXPECT_LT(asked, 350);
}

TEST(OneVsRest, every_class_learns_from_asked_labels_as_a_separate_task_does) {
  Model model = make_model(config_of("perceptron", "random:q=0.4"));
  std::vector<std::unique_ptr<AnySampler>> alone;
  for (std::size_t k = 0; k < classes; ++k) {
    alone.push_back(make_sampler({.learner = parse_learner("perceptron"), .rule = parse_rule("always")}, {}));
  }
  const std::vector<Example> examples = make_examples(2, 300);
  std::uint64_t rounds_with_updates = 0;
  for (const Example& example : examples) {
    const FeatureView x = example.instance.x();
    if (!round(model, example).query.asked) continue;
    bool updated = false;
    for (std::size_t k = 0; k < classes; ++k) {
      const Query query = alone[k]->ask(x);
      updated |= alone[k]->tell(x, k == example.truth ? Label::positive : Label::negative, query);
    }
    rounds_with_updates += updated ? 1 : 0;
  }
  for (const Example& example : examples) {
    for (std::size_t k = 0; k < classes; ++k) {
      ASSERT_EQ(model.tasks[k].sampler->margin(example.instance.x()), alone[k]->margin(example.instance.x()));
    }
  }
  EXPECT_EQ(model.decisions->tally().updates, rounds_with_updates);
}

TEST(OneVsRest, learns_the_classes) {
  Model model = make_model(config_of("pa-1", "log-threshold"));
  std::size_t mistakes = 0;
  for (const Example& example : make_examples(3, 1000))
    mistakes += round(model, example).prediction != example.truth;
  EXPECT_LT(mistakes, 400);  // of 1,000; guessing would make 750
}

TEST(OneVsRest, a_label_can_come_late) {
  Model model = make_model(config_of("pa", "always"));
  OneVsRest task(model.tasks, *model.decisions);
  const std::vector<Example> examples = make_examples(4, 2);
  const FeatureView first = examples[0].instance.x();
  const Round early = task.ask(first);
  const FeatureView second = examples[1].instance.x();
  task.tell(second, 1, task.ask(second));
  task.tell(first, 2, early);
  // After an update of pa the margin is exactly 1.
  EXPECT_NEAR(model.tasks[2].sampler->margin(first), 1, 1e-12);
  EXPECT_LE(model.tasks[1].sampler->margin(first), -1 + 1e-12);
}

TEST(OneVsRest, learners_that_need_a_first_label_get_it) {
  Model model = make_model(config_of("reflect", "random:q=0.000001"));
  const std::vector<Example> examples = make_examples(5, 50);
  const Round query = round(model, examples[0]);
  EXPECT_TRUE(query.query.asked);
  EXPECT_EQ(query.query.probability, 1);
  EXPECT_EQ(model.decisions->tally().updates, 0);  // a start is no update
  for (std::size_t k = 1; k < examples.size(); ++k) EXPECT_FALSE(round(model, examples[k]).query.asked);
}

TEST(OneVsRest, a_snapshot_continues_bit_for_bit) {
  for (const char* rule : {"margin", "adaptive", "halving:R=4", "log-threshold:next=1"}) {
    Model model = make_model(config_of("pa-2", rule));
    for (const Example& example : make_examples(6, 200)) round(model, example);
    Model again = model_of(decode_model(encode_model(snapshot_of(model))));
    for (const Example& example : make_examples(7, 100)) {
      const Round a = round(model, example);
      const Round b = round(again, example);
      ASSERT_EQ(a.prediction, b.prediction);
      ASSERT_EQ(a.query.probability, b.query.probability);
      ASSERT_EQ(a.query.asked, b.query.asked);
    }
    EXPECT_EQ(snapshot_of(model), snapshot_of(again)) << rule;
  }
}

TEST(OneVsRest, every_learner_can_be_used_for_classes) {
  for (const LearnerEntry& learner : learner_entries()) {
    ModelConfig config = config_of(learner.test_specs.front(), "margin");
    config.dimension = 12;
    Model model = make_model(config);
    for (const Example& example : make_examples(8, 60)) round(model, example);
    EXPECT_EQ(model.decisions->tally().round, 60) << learner.info.name;
    EXPECT_GT(model.decisions->tally().updates, 0) << learner.info.name;
  }
}

TEST(OneVsRest, a_margin_that_is_not_finite_ends_the_run_with_its_round_and_class) {
  class Infinite final : public FakeSampler {
    [[nodiscard]] double margin(const FeatureView& /*x*/) const override {
      return std::numeric_limits<double>::quiet_NaN();
    }
  };
  Model model = make_model(config_of("pa", "always"));
  model.tasks[2].sampler = std::make_unique<Infinite>();
  try {
    round(model, make_examples(9, 1)[0]);
    ADD_FAILURE() << "no error";
  } catch (const NumericError& error) {
    EXPECT_STREQ(error.what(), "round 1, task 2: the margin is not finite");
  }
}

TEST(OneVsRest, refuses_rules_that_need_a_spread_and_a_single_class) {
  EXPECT_THROW(make_model(config_of("second-order", "variance")), ConfigError);
  ModelConfig config = config_of("pa", "always");
  config.labels.names = {"0"};
  EXPECT_THROW(make_model(config), ConfigError);
}

}  // namespace
}  // namespace askfew

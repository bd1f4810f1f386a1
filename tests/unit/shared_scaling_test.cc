// Tasks that share their scaler, in a live stream: labels come late, and instances are looked at in advance.

#include "askfew/composed/shared_scaling.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "askfew/models/ask_tell.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr std::size_t topics = 5;
constexpr std::size_t late = 7;

ModelConfig config_of(const std::string& learner) {
  ModelConfig config{.sampler = {.learner = parse_learner(learner), .rule = parse_rule("threshold:b=0.5")},
                     .seed = 3};
  config.sampler.update = standard_policy(config.sampler.learner);
  config.labels.kind = LabelPlan::Kind::one_per_label;
  for (std::size_t k = 0; k < topics; ++k) config.labels.names.push_back(std::to_string(k));
  return config;
}

/// The label of a topic: the topics see the same instances, and learn different things.
LabelNumber label_of_topic(const test::SparseExample& example, std::size_t topic) {
  return example.values[topic % example.values.size()] > 0 ? 1 : 0;
}

/// What a live stream answers, and its model at the end. `threads`: as many as topics, and no task shares.
std::pair<std::vector<double>, Snapshot> run_live(const ModelConfig& config, unsigned threads,
                                                  const test::Stream& examples) {
  AskTell live(make_model(config, {.exactness = Exactness::exact, .threads = threads}));
  std::vector<double> answers;
  std::vector<std::vector<Round>> rounds(examples.size(), std::vector<Round>(topics));
  const auto answer = [&](const std::vector<Round>& all) {
    for (const Round& round : all)
      answers.insert(answers.end(), {round.query.score.margin, round.query.score.spread});
  };
  for (std::size_t row = 0; row < examples.size(); ++row) {
    const FeatureView x = examples[row].x();
    if (row % 10 == 3) {
      std::vector<Round> peeked(topics);
      live.peek(x, peeked);
      answer(peeked);
    }
    live.ask(x, rounds[row]);
    answer(rounds[row]);
    if (row < late) continue;
    const std::size_t earlier = row % 3 == 0 ? row : row - late;  // some labels come at once
    for (std::size_t k = 0; k < topics; ++k) {
      if (rounds[earlier][k].query.asked)
        live.tell(examples[earlier].x(), label_of_topic(examples[earlier], k), k, rounds[earlier][k]);
    }
  }
  return {answers, snapshot_of(live.model())};
}

TEST(SharedScaling, late_labels_and_peeks_give_the_same_as_tasks_of_their_own) {
  const test::Stream examples = test::teacher_stream(21, 400, 200, 12);
  for (const char* learner : {"scaled-logistic:decay=0.5,full_prior=30,grow=4,norm=0.75,rare=0.3",
                              "scaled-logistic:grow=3,full=20", "scaled-logistic:full=0"}) {
    const ModelConfig config = config_of(learner);
    EXPECT_NE(make_model(config).tasks[0].shared, nullptr);
    EXPECT_EQ(run_live(config, 1, examples), run_live(config, topics, examples)) << learner;
  }
}

TEST(SharedScaling, tasks_that_have_seen_different_instances_do_not_share) {
  const ModelConfig config = config_of("scaled-logistic:grow=3");
  Snapshot mixed = run_live(config, 1, test::teacher_stream(21, 60, 200, 12)).second;
  const Snapshot other = run_live(config, 1, test::teacher_stream(22, 60, 200, 12)).second;
  EXPECT_NE(model_of(mixed).tasks[0].shared, nullptr);
  for (const auto& [name, tensor] : other.tensors) {
    if (name.starts_with("task2.")) mixed.tensors[name] = tensor;
  }
  const Model loaded = model_of(mixed);
  EXPECT_EQ(loaded.tasks[0].shared, nullptr);
  EXPECT_EQ(snapshot_of(loaded), mixed);
  Model sharing = make_model(config);
  EXPECT_THROW(load_state(mixed, sharing), ModelError);
}

TEST(SharedScaling, a_copy_changes_nothing_of_the_others) {
  const OnlineScaler::Options options{.grows = true, .variance = 4};
  const auto all = std::make_shared<ScaledTasks>(2, options);
  SharedScaling first(all, 0, options);
  SharedScaling second(all, 1, options);
  const test::Stream examples = test::teacher_stream(23, 3, 20, 5);
  const auto see = [](SharedScaling& scaling, const FeatureView& x) {
    SharedScaling::Seen seen;
    scaling.see(x, 1, seen, [](ScaledInstance&) {});
    return seen;
  };
  see(first, examples[0].x());
  see(second, examples[0].x());
  SharedScaling copy(second);
  copy.weight(0) = 3;
  EXPECT_EQ(see(copy, examples[1].x()).margin, 3);
  EXPECT_EQ(copy.scaler().rounds(), 2);
  EXPECT_EQ(second.scaler().rounds(), 1);
  EXPECT_EQ(second.weight(0), 0);
  second.weight(0) = 5;
  EXPECT_EQ(see(first, examples[1].x()).margin, 0);
  EXPECT_EQ(see(second, examples[1].x()).margin, 5);
  EXPECT_EQ(second.scaler().rounds(), 2);
}

}  // namespace
}  // namespace askfew

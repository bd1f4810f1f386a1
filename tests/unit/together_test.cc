// Tasks with interleaved weights, compared with the same tasks run one by one: only the time differs.

#include <gtest/gtest.h>

#include "askfew/models/model.h"
#include "askfew/models/model_file.h"
#include "askfew/models/topic_shards.h"
#include "askfew/models/trace.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr std::size_t topics = 19;  // in two groups on one thread

/// Examples with topics 0, ..., 18: an example has topic k if its k-th feature is present and positive.
class TopicStream final : public Stream {
 public:
  explicit TopicStream(bool dense) {
    set_facts({.label_kind = LabelKind::topics});
    test::Stream examples = test::teacher_stream(11, 700, 60, 12, 0, 0.1);
    for (std::size_t row = 0; row < examples.size(); ++row) {
      test::SparseExample& example = examples[row];
      if (row % 50 == 7) std::fill(example.values.begin(), example.values.end(), 0.0);
      block_.begin(row + 1);
      for (std::size_t k = 0; k < example.indices.size(); ++k) {
        if (example.indices[k] < topics && example.values[k] > 0) {
          block_.add_label(static_cast<Examples::LabelId>(example.indices[k]));
        }
      }
      if (dense) {
        std::vector<double> values(60);
        for (std::size_t k = 0; k < example.indices.size(); ++k)
          values[example.indices[k]] = example.values[k];
        for (const double value : values) block_.add_dense(value);
        block_.end_dense();
      } else {
        // New features keep appearing, so that weights grow at different times.
        for (std::size_t k = 0; k < example.indices.size(); ++k) {
          block_.add_feature(
              example.indices[k] + (k + 1 == example.indices.size() ? static_cast<unsigned>(row) : 0),
              example.values[k]);
        }
        block_.end_sparse();
      }
    }
  }

  tl::expected<bool, ParseError> next(Examples& block) override {
    if (done_) return false;
    done_ = true;
    block = block_;
    return true;
  }
  [[nodiscard]] std::string name() const override { return "memory"; }
  Examples::LabelId label_id(std::string_view name) override { return std::stoi(std::string(name)); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  Examples block_;
  bool done_ = false;
};

ModelConfig config_of(const std::string& learner, const std::string& rule) {
  ModelConfig config{.sampler = {.learner = parse_learner(learner), .rule = parse_rule(rule)}, .seed = 5};
  config.sampler.update = standard_policy(config.sampler.learner);
  config.labels.kind = LabelPlan::Kind::one_per_label;
  for (std::size_t k = 0; k < topics; ++k) config.labels.names.push_back(std::to_string(k));
  return config;
}

constexpr const char* of_auto = "scaled-logistic:decay=0.5,full_prior=30,grow=4,norm=0.75,rare=0.3";

/// The model and the trace, to the bit. `groups`: the number of threads for which the tasks are laid out.
std::string bytes_of_run(const ModelConfig& config, unsigned groups, unsigned threads, bool dense = false) {
  Model model = make_model(config, {.exactness = Exactness::exact, .threads = groups});
  TopicStream stream(dense);
  std::ostringstream trace;
  TraceWriter writer(trace);
  RunLoopOptions options{.threads = threads};
  options.trace = [&](std::size_t task, const Round& round) { writer.write(task, round); };
  EXPECT_EQ(run_loop(stream, config.labels.labelling(stream), model.task_set(), options).value(), 700);
  return encode_model(snapshot_of(model)) + trace.str();
}

/// Can tasks with this learner share work?
bool can_share(const LearnerEntry& learner) {
  return offers(learner, "shared-weights") || offers(learner, "shared-scaling");
}

bool is_shared(const Model& model) {
  return model.tasks[0].shared != nullptr && model.tasks[0].shared == model.tasks[1].shared;
}

TEST(Together, every_pair_of_learner_and_rule_learns_the_same_as_one_by_one) {
  for (const LearnerEntry& learner : learner_entries()) {
    for (const RuleEntry& rule : rule_entries()) {
      const ModelConfig config = config_of(std::string(learner.info.name), std::string(rule.info.name));
      if (rule.needs_spread && !offers(learner, "spread")) continue;
      if (needs_dimension(config.sampler)) continue;
      ASSERT_EQ(is_shared(make_model(config)), can_share(learner)) << learner.info.name;
      if (!can_share(learner)) continue;
      EXPECT_FALSE(is_shared(make_model(config, {.threads = topics})));  // one by one
      EXPECT_TRUE(bytes_of_run(config, 1, 1) == bytes_of_run(config, topics, 1))
          << learner.info.name << " + " << rule.info.name;
    }
  }
}

/// The model of a run that reports no rounds: tasks that share their margins run as a group.
std::string bytes_of_quick_run(const ModelConfig& config, unsigned groups) {
  Model model = make_model(config, {.threads = groups});
  TopicStream stream(false);
  std::uint64_t opened = 0;
  EXPECT_EQ(run_loop(stream, config.labels.labelling(stream), model.task_set(), {.opened = &opened}).value(),
            700);
  return encode_model(snapshot_of(model)) + std::to_string(opened);
}

TEST(Together, a_run_that_reports_no_rounds_learns_the_same_as_one_by_one) {
  for (const LearnerEntry& learner : learner_entries()) {
    if (!can_share(learner)) continue;
    for (const char* rule :
         {"margin:b=0.1", "random:q=0.2", "threshold:b=0.1", "log-threshold", "log-threshold:c=0.01",
          "log-threshold:c=1e-9", "log-threshold:c=0.1,empty=skip", "log-threshold:c=0.1,next=1"}) {
      ModelConfig config = config_of(std::string(learner.info.name), rule);
      const auto expect_same = [&](const char* with) {
        EXPECT_TRUE(bytes_of_quick_run(config, 1) == bytes_of_quick_run(config, topics))
            << learner.info.name << " + " << rule << with;
      };
      expect_same("");
      if (offers(learner, "loss")) {
        config.sampler.update = UpdatePolicy::asked;
        expect_same(", update on asked");
      }
      config.sampler.aim = parse_aim("f1");
      expect_same(", with an aim");
    }
  }
}

TEST(Together, threads_and_groups_change_nothing) {
  for (const char* learner : {"pa-1", of_auto, "scaled-logistic:full=0", "scaled-logistic:grow=3,full=20"}) {
    for (const bool dense : {false, true}) {
      const ModelConfig config = config_of(learner, "margin:b=0.3");
      const std::string expected = bytes_of_run(config, topics, 1, dense);
      for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        EXPECT_TRUE(bytes_of_run(config, threads, threads, dense) == expected) << learner << ' ' << threads;
        EXPECT_TRUE(bytes_of_run(config, 1, threads, dense) == expected) << learner << ' ' << threads;
      }
    }
  }
}

TEST(Together, a_model_can_be_loaded_with_any_number_of_groups) {
  for (const char* learner : {"shifting", of_auto}) {
    const ModelConfig config = config_of(learner, "margin");
    Model model = make_model(config);
    TopicStream stream(false);
    ASSERT_TRUE(run_loop(stream, config.labels.labelling(stream), model.task_set(), {}));
    const Snapshot snapshot = snapshot_of(model);
    for (const unsigned threads : {1U, 4U, 19U})
      EXPECT_EQ(snapshot_of(model_of(snapshot, {.threads = threads})), snapshot);
  }
}

TEST(Together, margins_of_many_instances_equal_the_margins_of_each) {
  const ModelConfig config = config_of("alma", "always");
  Model model = make_model(config);
  TopicStream stream(false);
  ASSERT_TRUE(run_loop(stream, config.labels.labelling(stream), model.task_set(), {}));
  const test::Stream examples = test::teacher_stream(12, 40, 900, 30);
  std::vector<FeatureView> instances;
  for (const auto& example : examples) instances.push_back(example.x());
  const std::vector<double> margins = margins_of(model.tasks, instances);
  for (std::size_t row = 0; row < instances.size(); ++row) {
    for (std::size_t k = 0; k < topics; ++k) {
      ASSERT_EQ(margins[row * topics + k], model.tasks[k].sampler->margin(instances[row]));
    }
  }
}

/// A model after a run.
Snapshot snapshot_of_run(const ModelConfig& config) {
  Model model = make_model(config);
  TopicStream stream(false);
  EXPECT_TRUE(
      run_loop(stream, config.labels.labelling(stream), model.task_set(), {.opened = &*model.opened}));
  return snapshot_of(model);
}

std::vector<Snapshot> shards_of_run(const ModelConfig& config, std::size_t count) {
  std::vector<Snapshot> shards;
  for (std::size_t number = 1; number <= count; ++number) {
    ModelConfig part = config;
    part.labels = shard_of(config.labels, {.number = number, .of = count});
    // A shard that was saved and loaded goes on with its coins.
    shards.push_back(snapshot_of(model_of(snapshot_of_run(part))));
  }
  return shards;
}

std::uint64_t opened_of(const Snapshot& whole) {
  return *model_of(whole).opened;
}

TEST(Together, shards_of_the_topics_are_together_the_same_model) {
  const ModelConfig config = config_of("pa-1", "margin:b=0.3");
  const Snapshot whole = snapshot_of_run(config);
  for (const std::size_t count : {1U, 2U, 3U, 19U}) {
    EXPECT_EQ(merge_shards(shards_of_run(config, count), opened_of(whole)), whole) << count;
  }
}

TEST(Together, only_all_shards_of_one_model_are_merged) {
  const ModelConfig config = config_of("pa-1", "margin:b=0.3");
  std::vector<Snapshot> shards = shards_of_run(config, 3);
  EXPECT_THROW(merge_shards({}, 0), ConfigError);
  EXPECT_THROW(merge_shards(std::span(shards).subspan(1), 0), ConfigError);  // the first is missing
  EXPECT_THROW(merge_shards(std::span(shards).first(2), 0), ConfigError);    // the last is missing
  std::swap(shards[1], shards[2]);
  EXPECT_THROW(merge_shards(shards, 0), ConfigError);
  ModelConfig other = config;
  other.seed = 6;
  std::swap(shards[1], shards[2]);
  shards[2] = shards_of_run(other, 3)[2];
  EXPECT_THROW(merge_shards(shards, 0), ConfigError);
}

TEST(Together, shards_divide_the_topics_evenly) {
  const std::pair<std::size_t, std::size_t> expected[] = {{0, 7}, {7, 13}, {13, 19}};
  for (std::size_t number = 1; number <= 3; ++number) {
    const TopicRange range = topics_of({.number = number, .of = 3}, topics);
    EXPECT_EQ(std::pair(range.begin, range.end), expected[number - 1]);
  }
  EXPECT_EQ(parse_shard("3/8"), (TopicShard{.number = 3, .of = 8}));
  for (const char* text : {"", "3", "3/", "/8", "0/8", "9/8", "3/8x", "-1/8", "3/8/2"}) {
    EXPECT_THROW(parse_shard(text), ConfigError) << text;
  }
  EXPECT_THROW(topics_of({.number = 1, .of = 20}, topics), ConfigError);
  EXPECT_THROW(shard_of({.kind = LabelPlan::Kind::any_of, .names = {"a"}}, {}), ConfigError);
}

TEST(Together, a_shard_cannot_decide_about_whole_documents) {
  for (const std::size_t number : {1U, 2U}) {
    ModelConfig config = config_of("pa-1", "margin:b=0.3");
    config.together = true;
    config.labels = shard_of(config.labels, {.number = number, .of = 2});
    EXPECT_THROW(make_model(config), ConfigError);
    EXPECT_THROW(shard_of(config.labels, {.number = 1, .of = 2}), ConfigError);  // a shard has no shards
  }
}

}  // namespace
}  // namespace askfew

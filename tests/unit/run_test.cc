#include <algorithm>
#include <gtest/gtest.h>

#include "askfew/models/model.h"
#include "askfew/models/run_loop.h"

#include "tests/streams.h"
#include "tests/unit/fake_sampler.h"

namespace askfew {
namespace {

/// A stream in memory; the teacher gives label 1.
class MemoryStream final : public Stream {
 public:
  explicit MemoryStream(const test::Stream& examples) : examples_(examples) {}

  tl::expected<bool, ParseError> next(Examples& block) override {
    block.clear();
    for (; next_ < examples_.size() && block.size() < 600; ++next_) {
      const test::SparseExample& example = examples_[next_];
      block.begin(next_ + 1);
      block.add_label(static_cast<Examples::LabelId>(example.y));
      for (std::size_t k = 0; k < example.indices.size(); ++k)
        block.add_feature(example.indices[k], example.values[k]);
      block.end_sparse();
    }
    return block.size() > 0;
  }
  [[nodiscard]] std::string name() const override { return "memory"; }
  Examples::LabelId label_id(std::string_view name) override { return std::stoi(std::string(name)); }
  [[nodiscard]] std::string label_name(Examples::LabelId id) const override { return std::to_string(id); }

 private:
  const test::Stream& examples_;
  std::size_t next_ = 0;
};

std::vector<Task> tasks_of(const std::string& preset, std::size_t count) {
  ModelConfig config;
  config.sampler = parse_preset(preset);
  config.labels.kind = LabelPlan::Kind::one_per_label;
  for (std::size_t k = 0; k < count; ++k) config.labels.names.push_back(std::to_string(k));
  std::vector<Task> tasks = make_tasks(config);
  for (Task& task : tasks) task.label = 0;
  return tasks;
}

struct Traced {
  std::size_t task = 0;
  Round round;
};

std::vector<Traced> trace_of(const test::Stream& examples, std::vector<Task>& tasks, unsigned threads) {
  MemoryStream stream(examples);
  std::vector<Traced> rows;
  RunLoopOptions options{.threads = threads};
  options.trace = [&](std::size_t task, const Round& round) { rows.push_back({task, round}); };
  EXPECT_TRUE(run_loop(stream, Labelling::plain(), tasks, options));
  return rows;
}

TEST(Run, gives_the_same_results_as_calls_of_ask_and_tell) {
  const test::Stream examples = test::teacher_stream(3, 1500, 40, 6, 0, 0.1);
  std::vector<Task> tasks = tasks_of("sel-p", 1);
  std::vector<Task> by_hand = tasks_of("sel-p", 1);
  const std::vector<Traced> rows = trace_of(examples, tasks, 1);
  ASSERT_EQ(rows.size(), examples.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const FeatureView x = examples[t].x();
    const Query query = by_hand[0].sampler->ask(x);
    const bool updated = query.asked && by_hand[0].sampler->tell(x, examples[t].y, query);
    ASSERT_EQ(rows[t].round.query.round, t + 1);
    ASSERT_EQ(rows[t].round.query.score.margin, query.score.margin);
    ASSERT_EQ(rows[t].round.query.asked, query.asked);
    ASSERT_EQ(rows[t].round.updated, updated);
    ASSERT_EQ(rows[t].round.prediction, number_of(query.prediction));
    ASSERT_EQ(rows[t].round.label, number_of(examples[t].y));
  }
  EXPECT_EQ(tasks[0].confusion.rounds(), examples.size());
}

TEST(Run, threads_do_not_change_anything) {
  const test::Stream examples = test::teacher_stream(4, 1200, 40, 6, 0, 0.1);
  std::vector<Task> once = tasks_of("sel-p", 7);
  const std::vector<Traced> expected = trace_of(examples, once, 1);
  for (const unsigned threads : {2U, 3U, 16U}) {
    std::vector<Task> tasks = tasks_of("sel-p", 7);
    const std::vector<Traced> rows = trace_of(examples, tasks, threads);
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      ASSERT_EQ(rows[k].task, expected[k].task);
      ASSERT_EQ(rows[k].round.query.round, expected[k].round.query.round);
      ASSERT_EQ(rows[k].round.query.score.margin, expected[k].round.query.score.margin);
      ASSERT_EQ(rows[k].round.query.coin, expected[k].round.query.coin);
    }
  }
}

TEST(Run, reports_at_every_doubling) {
  const test::Stream examples = test::teacher_stream(5, 1100, 10, 3);
  std::vector<Task> tasks = tasks_of("perc", 1);
  MemoryStream stream(examples);
  std::vector<std::uint64_t> reports;
  RunLoopOptions options;
  options.progress = [&](std::uint64_t rounds) { reports.push_back(rounds); };
  ASSERT_EQ(run_loop(stream, Labelling::plain(), tasks, options).value(), 1100);
  for (std::uint64_t doubling = 1; doubling <= 1024; doubling *= 2) {
    EXPECT_TRUE(std::ranges::count(reports, doubling) == 1) << doubling;
  }
  EXPECT_TRUE(std::ranges::is_sorted(reports));
  EXPECT_EQ(reports.back(), 1100);
}

TEST(Run, pauses_at_every_multiple_of_a_number) {
  const test::Stream examples = test::teacher_stream(5, 1100, 10, 3);
  std::vector<Task> tasks = tasks_of("perc", 1);
  MemoryStream stream(examples);
  std::vector<std::uint64_t> pauses;
  RunLoopOptions options{.pause = 350};
  options.progress = [&](std::uint64_t rounds) {
    if (rounds % 350 == 0) pauses.push_back(rounds);
  };
  ASSERT_EQ(run_loop(stream, Labelling::plain(), tasks, options).value(), 1100);
  EXPECT_EQ(pauses, (std::vector<std::uint64_t>{350, 700, 1050}));
}

TEST(Run, refuses_instances_of_another_norm_if_the_sampler_needs_norm_1) {
  const test::Stream examples = test::teacher_stream(6, 10, 10, 3, 0, 0, false);
  std::vector<Task> tasks = tasks_of("dkm2", 1);
  MemoryStream refused(examples);
  const auto result = run_loop(refused, Labelling::plain(), tasks, {.unit_norm = true});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line, 1);
  const test::Stream normalized = test::teacher_stream(6, 10, 10, 3);
  MemoryStream accepted(normalized);
  EXPECT_TRUE(run_loop(accepted, Labelling::plain(), tasks, {.unit_norm = true}));
}

TEST(Run, stops_when_the_flag_is_set) {
  const test::Stream examples = test::teacher_stream(7, 2000, 10, 3);
  std::vector<Task> tasks = tasks_of("perc", 1);
  MemoryStream stream(examples);
  std::atomic<bool> stop = false;
  const RunLoopOptions options{.progress = [&](std::uint64_t rounds) { stop = rounds >= 64; }, .stop = &stop};
  EXPECT_EQ(run_loop(stream, Labelling::plain(), tasks, options).value(), 64);
}

TEST(Run, a_numeric_error_in_any_thread_reaches_the_caller) {
  test::Stream examples = test::teacher_stream(8, 50, 4, 2);
  for (double& v : examples[20].values) v = 1e200;
  for (double& v : examples[30].values) v = 1e200;
  examples[30].indices = examples[20].indices;
  ModelConfig config;
  config.sampler = {
      .learner = parse_learner("perceptron"), .rule = parse_rule("always"), .update = UpdatePolicy::asked};
  config.labels = {LabelPlan::Kind::one_per_label, {"0", "1", "2"}};
  std::vector<Task> tasks = make_tasks(config);
  for (Task& task : tasks) task.label = 0;
  MemoryStream stream(examples);
  // The norm of 1e200 is not finite either, which is detected when the instance is read.
  const auto result = run_loop(stream, Labelling::plain(), tasks, {.threads = 2});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line, 21);
  test::Stream large = test::teacher_stream(9, 50, 4, 4, 0, 0, false);
  for (auto& example : large) {
    for (double& v : example.values) v *= 1e120;
  }
  MemoryStream second(large);
  config.sampler.learner = parse_learner("perceptron:rate=1e100");
  std::vector<Task> fresh = make_tasks(config);
  for (Task& task : fresh) task.label = 0;
  EXPECT_THROW(static_cast<void>(run_loop(second, Labelling::plain(), fresh, {.threads = 2})), NumericError);
}

/// A sampler whose memory is exhausted in a given round.
class Exhausted final : public FakeSampler {
 public:
  explicit Exhausted(std::uint64_t round) : round_(round) {}
  Query ask(const FeatureView& x) override {
    const Query query = FakeSampler::ask(x);
    if (query.round == round_) throw MemoryError("round " + std::to_string(round_));
    return query;
  }

 private:
  std::uint64_t round_;
};

TEST(Run, exhausted_memory_in_any_thread_reaches_the_caller_after_the_blocks_before_it) {
  const test::Stream examples = test::teacher_stream(10, 1000, 10, 3);
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::vector<Task> tasks;
    for (std::size_t k = 0; k < 5; ++k) {
      auto sampler = k == 3   ? std::make_unique<Exhausted>(200)
                     : k == 4 ? std::make_unique<Exhausted>(150)
                              : std::make_unique<FakeSampler>();
      tasks.push_back({.name = "", .label = 0, .sampler = std::move(sampler), .confusion = {}});
    }
    MemoryStream stream(examples);
    std::uint64_t seen = 0;
    RunLoopOptions options{.threads = threads};
    options.progress = [&](std::uint64_t rounds) {
      seen = rounds;
      for (const Task& task : tasks) EXPECT_EQ(task.sampler->tally().round, rounds);
    };
    try {
      static_cast<void>(run_loop(stream, Labelling::plain(), tasks, options));
      ADD_FAILURE() << "no error";
    } catch (const MemoryError& error) {
      EXPECT_STREQ(error.what(), "round 150");  // the earliest round, though it belongs to the last task
    }
    EXPECT_EQ(seen, 128);
  }
}

}  // namespace
}  // namespace askfew

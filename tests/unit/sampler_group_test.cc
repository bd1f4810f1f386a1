// Groups of samplers: which samplers make a group, and what a failure leaves behind.

#include "askfew/protocol/sampler_group.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

#include "askfew/catalog/interleaved.h"
#include "askfew/models/model.h"
#include "askfew/models/round_loop.h"

namespace askfew {
namespace {

constexpr std::size_t topics = 3;

std::vector<Task> tasks_of(const std::string& learner, const std::string& rule) {
  ModelConfig config{.sampler = {.learner = parse_learner(learner), .rule = parse_rule(rule)}, .seed = 5};
  config.sampler.update = standard_policy(config.sampler.learner);
  config.labels.kind = LabelPlan::Kind::one_per_label;
  for (std::size_t k = 0; k < topics; ++k) config.labels.names.push_back(std::to_string(k));
  return make_tasks(config);
}

std::vector<GroupMember> members_of(std::vector<Task>& tasks) {
  std::vector<GroupMember> members;
  for (Task& task : tasks) members.push_back({task.sampler.get(), &task.confusion, &task.calibration});
  return members;
}

/// One instance with one feature.
class OneRow {
 public:
  OneRow(double value, std::vector<Label> labels)
      : value_(value), labels_(std::move(labels)), x_(FeatureView::sparse({&index_, 1}, {&value_, 1})) {}

  [[nodiscard]] static std::size_t size() { return 1; }
  [[nodiscard]] std::span<const FeatureView> instances() const { return {&x_, 1}; }
  [[nodiscard]] std::span<const Label> labels(std::size_t /*row*/) const { return labels_; }
  [[nodiscard]] static bool is_timed() { return false; }
  [[nodiscard]] static std::int64_t time(std::size_t /*row*/) { return 0; }

 private:
  FeatureView::Index index_ = 0;
  double value_;
  std::vector<Label> labels_;
  FeatureView x_;
};

constexpr Label yes = Label::positive;
constexpr Label no = Label::negative;

/// Runs a row with rounds that are reported, or as a group.
void run_row(std::vector<Task>& tasks, bool as_group, const OneRow& row) {
  RoundLoop loop{TaskSet(tasks)};
  std::vector<unsigned char> asked(1);
  if (as_group) return loop.run_and_mark(row, asked);
  loop.run(row, [](std::size_t, const FeatureView&, const Round&) { return true; });
}

/// The weight of the one feature.
double weight_of(const Task& task) {
  const FeatureView::Index index = 0;
  const double one = 1;
  return task.sampler->margin(FeatureView::sparse({&index, 1}, {&one, 1}));
}

/// A task that has begun no round that it did not complete: rule `always` asks in each.
void expect_whole_rounds(const Task& task) {
  EXPECT_EQ(task.sampler->tally().round, task.confusion.rounds());
  EXPECT_EQ(task.sampler->tally().asked, task.confusion.rounds());
  EXPECT_EQ(task.calibration.labels(), task.confusion.rounds());
}

TEST(SamplerGroup, is_made_only_of_samplers_of_the_same_type_in_the_order_of_their_margins) {
  std::vector<Task> tasks = tasks_of("perceptron", "margin");
  std::vector<GroupMember> members = members_of(tasks);
  EXPECT_NE(members[0].sampler->make_group(members), nullptr);
  std::swap(members[0], members[1]);
  EXPECT_EQ(members[0].sampler->make_group(members), nullptr);

  std::vector<Task> others = tasks_of("perceptron", "random");
  members = members_of(tasks);
  members[2].sampler = others[2].sampler.get();
  EXPECT_EQ(members[0].sampler->make_group(members), nullptr);
  EXPECT_EQ(members[2].sampler->make_group(members), nullptr);
}

TEST(SamplerGroup, is_not_made_if_the_margin_is_more_than_a_product) {
  std::vector<Task> tasks = tasks_of("alma", "margin");
  ASSERT_NE(tasks[0].shared, nullptr);
  const std::vector<GroupMember> members = members_of(tasks);
  EXPECT_EQ(members[0].sampler->make_group(members), nullptr);
}

TEST(SamplerGroup, a_task_of_another_type_among_the_tasks_runs_as_if_alone) {
  std::vector<Task> tasks = tasks_of("perceptron", "always");
  std::vector<Task> others = tasks_of("perceptron", "random:q=0");
  tasks[1].sampler = std::move(others[1].sampler);
  run_row(tasks, true, OneRow(2, {yes, yes, yes}));
  EXPECT_EQ(weight_of(tasks[0]), 2);
  EXPECT_EQ(weight_of(tasks[1]), 0);  // asked for nothing
  EXPECT_EQ(weight_of(tasks[2]), 2);
}

TEST(SamplerGroup, a_margin_that_is_not_finite_leaves_only_whole_rounds) {
  for (const bool as_group : {false, true}) {
    std::vector<Task> tasks = tasks_of("perceptron", "always");
    run_row(tasks, as_group, OneRow(1, {yes, yes, yes}));
    tasks[1].sampler->set_weights(std::vector<double>{1e300});
    EXPECT_THROW(run_row(tasks, as_group, OneRow(1e10, {no, no, no})), NumericError);
    expect_whole_rounds(tasks[0]);
    expect_whole_rounds(tasks[2]);
    EXPECT_EQ(weight_of(tasks[0]), 1 - 1e10);
    EXPECT_EQ(weight_of(tasks[1]), 1e300);
    EXPECT_EQ(tasks[1].confusion.rounds(), 1);
  }
}

TEST(SamplerGroup, an_update_that_is_refused_leaves_only_whole_rounds) {
  for (const bool as_group : {false, true}) {
    std::vector<Task> tasks = tasks_of("perceptron", "always");
    run_row(tasks, as_group, OneRow(1, {yes, yes, yes}));
    EXPECT_THROW(run_row(tasks, as_group, OneRow(1e140, {yes, no, yes})), NumericError);
    for (const Task& task : tasks) EXPECT_EQ(weight_of(task), 1);
    expect_whole_rounds(tasks[0]);
    expect_whole_rounds(tasks[2]);
    EXPECT_EQ(tasks[1].confusion.rounds(), 1);
  }
}

TEST(SamplerGroup, silent_rounds_before_a_failure_are_counted) {
  std::vector<Task> tasks = tasks_of("perceptron", "log-threshold:c=0.01");
  for (int round = 0; round < 4; ++round) run_row(tasks, true, OneRow(1, {yes, yes, yes}));
  tasks[1].sampler->set_weights(std::vector<double>{1e300});
  EXPECT_THROW(run_row(tasks, true, OneRow(1e10, {yes, yes, no})), NumericError);
  for (const std::size_t k : {0U, 2U}) {  // both are silent in the last round
    EXPECT_EQ(tasks[k].sampler->tally().round, 5);
    EXPECT_EQ(tasks[k].sampler->tally().asked, 1);
    EXPECT_EQ(tasks[k].confusion.rounds(), 5);
  }
  EXPECT_EQ(tasks[0].confusion.true_positives, 4);
  EXPECT_EQ(tasks[2].confusion.false_positives, 1);
}

/// Rows with two features, and the labels of all topics.
class ManyRows {
 public:
  ManyRows(std::uint64_t seed, std::size_t size) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (std::size_t row = 0; row < size; ++row) {
      values_.push_back({normal(random), normal(random)});
      for (std::size_t k = 0; k < topics; ++k) {
        const double score = values_[row][0] - static_cast<double>(k) * values_[row][1];
        labels_.push_back(score + normal(random) > 1 ? yes : no);
      }
    }
    for (const auto& values : values_) views_.push_back(FeatureView::dense(values));
  }
  void replace(std::size_t row, double value, Label y) {
    values_[row] = {value, 0};
    views_[row] = FeatureView::dense(values_[row]);
    for (std::size_t k = 0; k < topics; ++k) labels_[row * topics + k] = y;
  }

  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return views_; }
  [[nodiscard]] std::span<const Label> labels(std::size_t row) const {
    return std::span(labels_).subspan(row * topics, topics);
  }
  [[nodiscard]] static bool is_timed() { return false; }
  [[nodiscard]] static std::int64_t time(std::size_t /*row*/) { return 0; }

 private:
  std::vector<std::array<double, 2>> values_;
  std::vector<FeatureView> views_;
  std::vector<Label> labels_;
};

/// All that the tasks have learned and counted.
Snapshot state_of(const std::vector<Task>& tasks) {
  Snapshot snapshot;
  for (const Task& task : tasks) {
    task.sampler->save(snapshot, task.name + ".");
    SnapshotWriter visit(snapshot, task.name + ".");
    visit("confusion", task.confusion);
    visit("calibration", task.calibration);
  }
  return snapshot;
}
void expect_equal_states(const std::vector<Task>& left, const std::vector<Task>& right) {
  const Snapshot a = state_of(left);
  const Snapshot b = state_of(right);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) EXPECT_EQ(tensor.bytes, b.tensors.at(name).bytes) << name;
}

void run_as_group(std::vector<Task>& tasks, const ManyRows& rows) {
  std::vector<unsigned char> asked(rows.size());
  RoundLoop{TaskSet(tasks)}.run_and_mark(rows, asked);
}
void run_one_by_one(std::vector<Task>& tasks, const ManyRows& rows) {
  RoundLoop{TaskSet(tasks)}.run(rows, [](std::size_t, const FeatureView&, const Round&) { return true; });
}

TEST(SamplerGroup, coins_that_are_tossed_at_once_give_the_same_as_one_by_one) {
  for (const std::string learner : {"perceptron", "pa-1", "pa"}) {
    for (const std::string rule : {"margin:b=1", "margin:b=0.01", "margin:b=1e-300"}) {
      std::vector<Task> together = tasks_of(learner, rule);
      std::vector<Task> alone = tasks_of(learner, rule);
      for (const std::size_t size : {1U, 3U, 32U, 33U, 64U, 500U}) {
        const ManyRows rows(size, size);
        run_as_group(together, rows);
        run_one_by_one(alone, rows);
        expect_equal_states(together, alone);
      }
      EXPECT_GT(together[0].sampler->tally().asked, 0U);
    }
  }
}

TEST(SamplerGroup, members_in_different_rounds_toss_their_own_coins) {
  std::vector<Task> together = tasks_of("perceptron", "margin:b=0.1");
  std::vector<Task> alone = tasks_of("perceptron", "margin:b=0.1");
  const ManyRows rows(1, 50);
  for (std::vector<Task>* tasks : {&together, &alone}) tasks->at(1).sampler->ask(rows.instances()[0]);
  run_as_group(together, rows);
  run_one_by_one(alone, rows);
  expect_equal_states(together, alone);
}

/// Fails in a round of a pass.
void expect_equal_failures(const ManyRows& rows, double weight_of_second) {
  std::vector<Task> together = tasks_of("perceptron", "margin:b=1e150");  // asks for nearly all labels
  std::vector<Task> alone = tasks_of("perceptron", "margin:b=1e150");
  for (std::vector<Task>* tasks : {&together, &alone}) {
    run_as_group(*tasks, ManyRows(8, 50));
    if (weight_of_second != 0) tasks->at(1).sampler->set_weights(std::vector<double>{weight_of_second});
  }
  EXPECT_THROW(run_as_group(together, rows), NumericError);
  EXPECT_THROW(run_one_by_one(alone, rows), NumericError);
  expect_equal_states(together, alone);
}

TEST(SamplerGroup, a_failure_after_tossed_rounds_leaves_the_same_as_one_by_one) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ManyRows rows(seed, 60);
    rows.replace(40, 1e10, yes);
    expect_equal_failures(rows, 1e300);  // a margin is not finite
    // Every task makes a mistake in one of these rows, and its update is refused.
    rows.replace(40, 1e140, yes);
    rows.replace(41, 1e140, no);
    expect_equal_failures(rows, 0);
  }
}

TEST(SamplerGroup, positive_labels_become_bits) {
  std::mt19937_64 random(1);
  for (std::size_t size = 0; size <= max_members; ++size) {
    std::vector<Label> labels(size, no);
    EXPECT_EQ(positive_bits(labels), 0U);
    std::uint64_t expected = 0;
    for (std::size_t k = 0; k < size; ++k) {
      if (random() % 2 == 0) continue;
      labels[k] = yes;
      expected |= std::uint64_t{1} << k;
    }
    EXPECT_EQ(positive_bits(labels), expected);
  }
}

}  // namespace
}  // namespace askfew

// Late labels: what each label means, and how long a question is kept.

#include "askfew/sessions/label_queue.h"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

#include "askfew/system/memory_limit.h"

namespace askfew {
namespace {

constexpr FeatureView::Index indices[] = {2, 7};
constexpr double values[] = {0.5, -1};

const FeatureView x = FeatureView::sparse(indices, values);

TaskQuestion asked(std::uint64_t round) {
  return {.query = {.round = round, .asked = true}, .state = QuestionState::waiting};
}

void ask(LabelQueue& queue, std::string_view id, std::uint64_t round, std::int64_t time = 0) {
  const TaskQuestion task = asked(round);
  queue.add(id, {.x = x, .time = time, .tasks = {&task, 1}});
}

/// An instance whose label is not asked.
void pass(LabelQueue& queue, std::string_view id) {
  const TaskQuestion task;
  queue.add(id, {.tasks = {&task, 1}});
}

LabelOutcome take(LabelQueue& queue, std::string_view id, std::optional<LabelNumber> label,
                  std::uint32_t task = 0) {
  std::vector<LabelQueue::Taken> taken;
  const GivenLabel given{.task = task, .label = label};
  queue.take(id, {&given, 1}, taken);
  return taken.at(0).outcome;
}

const auto nobody = [](const Question&) { FAIL() << "nothing should expire"; };

TEST(LabelQueue, a_question_waits_for_its_label_and_keeps_its_features) {
  LabelQueue queue({});
  ask(queue, "a", 3);
  EXPECT_EQ(queue.waits("a"), 3);
  EXPECT_EQ(queue.waits("b"), 0);
  EXPECT_EQ(queue.waiting(), 1);
  EXPECT_EQ(take(queue, "a", 1), LabelOutcome::learned);
  const Question* question = queue.find("a");
  ASSERT_NE(question, nullptr);
  EXPECT_EQ(question->round(), 3);
  ASSERT_EQ(question->x.size(), 2);
  EXPECT_NE(question->x.indices(), indices);
  EXPECT_EQ(question->x.indices()[1], 7);
  EXPECT_EQ(question->x.values()[1], -1);
  EXPECT_EQ(question->x.squared_norm(), 1.25);
  EXPECT_EQ(queue.waiting(), 0);
}

TEST(LabelQueue, what_a_label_means_depends_on_what_came_before) {
  using enum LabelOutcome;
  LabelQueue queue({.max_rounds = 5});
  const auto outcome = [&](std::string_view id, std::optional<LabelNumber> label) {
    return take(queue, id, label);
  };
  ask(queue, "late", 1);
  ask(queue, "a", 7);
  ask(queue, "b", 8);
  pass(queue, "c");
  std::uint64_t lost = 0;
  queue.expire(8, 0, [&](const Question& q) { lost += q.round(); });
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(outcome("a", 0), learned);
  EXPECT_EQ(outcome("a", 0), repeated);
  EXPECT_EQ(outcome("a", 1), corrected);
  EXPECT_EQ(outcome("a", 1), repeated);
  EXPECT_EQ(outcome("a", 0), corrected);
  EXPECT_EQ(outcome("a", std::nullopt), kept);
  EXPECT_EQ(outcome("b", std::nullopt), skipped);
  EXPECT_EQ(outcome("b", std::nullopt), repeated);
  EXPECT_EQ(outcome("b", 1), learned);
  EXPECT_EQ(outcome("late", 1), expired);
  EXPECT_EQ(outcome("late", std::nullopt), expired);
  EXPECT_EQ(outcome("c", 1), never_asked);
  EXPECT_EQ(outcome("d", 1), unknown);
}

TEST(LabelQueue, questions_expire_by_rounds_and_by_age_the_oldest_first) {
  LabelQueue queue({.max_age = 100});
  for (std::uint64_t k = 1; k <= 4; ++k) ask(queue, std::to_string(k), k, 50 * static_cast<int>(k));
  std::vector<std::uint64_t> lost;
  const auto note = [&](const Question& q) { lost.push_back(q.round()); };
  queue.expire(4, 150, note);
  EXPECT_TRUE(lost.empty());  // 100 is not more than 100
  queue.expire(4, 201, note);
  EXPECT_EQ(lost, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(queue.waiting(), 2);
  EXPECT_EQ(queue.waits("2"), 0);
  EXPECT_EQ(queue.waits("3"), 3);
}

TEST(LabelQueue, only_the_last_answered_questions_can_be_corrected) {
  LabelQueue queue({.keep = 2});
  for (std::uint64_t k = 1; k <= 4; ++k) {
    ask(queue, std::to_string(k), k);
    pass(queue, "not " + std::to_string(k));
  }
  for (int k = 1; k <= 4; ++k) EXPECT_EQ(take(queue, std::to_string(k), 1), LabelOutcome::learned);
  EXPECT_EQ(take(queue, "2", 0), LabelOutcome::unknown);
  EXPECT_EQ(take(queue, "3", 0), LabelOutcome::corrected);
  EXPECT_EQ(take(queue, "4", 0), LabelOutcome::corrected);
  EXPECT_EQ(take(queue, "not 2", 0), LabelOutcome::unknown);
  EXPECT_EQ(take(queue, "not 3", 0), LabelOutcome::never_asked);
}

TEST(LabelQueue, an_id_means_the_last_instance_that_had_it) {
  LabelQueue queue({});
  ask(queue, "a", 1);
  take(queue, "a", 1);
  ask(queue, "a", 2);
  EXPECT_EQ(take(queue, "a", 0), LabelOutcome::learned);
  EXPECT_EQ(queue.find("a")->round(), 2);
  pass(queue, "a");
  EXPECT_EQ(take(queue, "a", 1), LabelOutcome::never_asked);
}

/// The same with lists that are searched from end to end.
class NaiveQueue {
 public:
  explicit NaiveQueue(std::size_t keep) : keep_(keep) {}

  void ask(const std::string& id) { renew(id, waiting_); }
  void pass(const std::string& id) {
    renew(id, unasked_);
    if (unasked_.size() > keep_) unasked_.erase(unasked_.begin());
  }
  bool waits(const std::string& id) const { return has(waiting_, id); }
  LabelOutcome take(const std::string& id, LabelNumber label) {
    while (answered_.size() > keep_) answered_.erase(answered_.begin());
    if (has(unasked_, id)) return LabelOutcome::never_asked;
    if (has(waiting_, id)) {
      std::erase(waiting_, id);
      answered_.push_back(id);
      labels_[id] = label;
      return LabelOutcome::learned;
    }
    if (!has(answered_, id)) return LabelOutcome::unknown;
    if (labels_[id] == label) return LabelOutcome::repeated;
    labels_[id] = label;
    return LabelOutcome::corrected;
  }

 private:
  using List = std::vector<std::string>;
  static bool has(const List& list, const std::string& id) {
    return std::find(list.begin(), list.end(), id) != list.end();
  }
  void renew(const std::string& id, List& list) {
    for (List* any : {&waiting_, &answered_, &unasked_}) std::erase(*any, id);
    list.push_back(id);
  }

  std::size_t keep_;
  List waiting_, answered_, unasked_;
  std::map<std::string, LabelNumber> labels_;
};

TEST(LabelQueue, agrees_with_a_naive_queue) {
  std::mt19937 random(1);
  LabelQueue queue({.keep = 7});
  NaiveQueue naive(7);
  int learned = 0;
  for (std::uint64_t round = 1; round <= 30'000; ++round) {
    const std::string id = std::to_string(random() % 60);
    queue.expire(round, 0, nobody);
    if (random() % 2 == 0) {
      const auto label = static_cast<LabelNumber>(random() % 2);
      const LabelOutcome outcome = take(queue, id, label);
      ASSERT_EQ(outcome, naive.take(id, label));
      learned += outcome == LabelOutcome::learned ? 1 : 0;
      continue;
    }
    ASSERT_EQ(queue.waits(id) > 0, naive.waits(id));
    if (queue.waits(id) > 0) continue;
    if (random() % 2 == 0) {
      ask(queue, id, round);
      naive.ask(id);
    } else {
      pass(queue, id);
      naive.pass(id);
    }
  }
  EXPECT_GT(learned, 1000);
}

TEST(LabelQueue, a_question_about_topics_waits_until_every_topic_has_its_label) {
  using enum LabelOutcome;
  LabelQueue queue({.max_rounds = 5});
  const std::vector<TaskQuestion> tasks{asked(3), {}, asked(3), asked(3)};
  queue.add("a", {.x = x, .tasks = tasks});
  EXPECT_EQ(take(queue, "a", 1, 2), learned);
  EXPECT_EQ(take(queue, "a", 1, 2), repeated);
  EXPECT_EQ(take(queue, "a", 1, 1), never_asked);
  EXPECT_EQ(take(queue, "a", 1, 9), never_asked) << "a topic that is younger than the question";
  EXPECT_EQ(queue.waits("a"), 3);
  EXPECT_EQ(take(queue, "a", std::nullopt, 0), skipped);
  EXPECT_EQ(queue.waiting(), 1);
  std::uint64_t lost = 0;
  queue.expire(9, 0, [&](const Question& question) {
    for (const TaskQuestion& task : question.tasks) lost += task.state == QuestionState::waiting ? 1 : 0;
  });
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(queue.waiting(), 0);
  EXPECT_EQ(take(queue, "a", 0, 3), expired);
  EXPECT_EQ(take(queue, "a", 0, 2), corrected) << "what came in time can be corrected";
  EXPECT_EQ(take(queue, "a", 0, 0), learned) << "a topic that was declined";
}

TEST(LabelQueue, questions_are_charged_to_the_memory_limit_and_release_as_much) {
  const auto limit = std::make_shared<MemoryLimit>(20'000);
  LabelQueue queue({.keep = 3}, limit);
  const std::size_t bytes = LabelQueue::bytes_of("1000", x);
  int added = 0;
  while (queue.has_room_for(bytes)) ask(queue, std::to_string(1000 + added++), 1);
  EXPECT_GT(added, 10);
  EXPECT_GE(queue.bytes(), 10'000 - 2 * bytes);
  EXPECT_LE(queue.bytes(), 10'000);
  EXPECT_EQ(limit->left(), 20'000 - queue.bytes());
  for (int k = 0; k < 3; ++k) take(queue, std::to_string(1000 + k), 1);
  EXPECT_FALSE(queue.has_room_for(bytes)) << "three questions are kept for corrections";
  for (int k = 3; k < 8; ++k) take(queue, std::to_string(1000 + k), 1);
  EXPECT_TRUE(queue.has_room_for(bytes));
}

TEST(LabelQueue, a_question_for_which_has_room_for_is_true_can_be_added) {
  std::mt19937_64 random(1);
  std::vector<FeatureView::Index> index(300);
  std::iota(index.begin(), index.end(), 0U);
  const std::vector<double> value(300, 1);
  const auto limit = std::make_shared<MemoryLimit>(100'000);
  LabelQueue queue({.keep = 2}, limit);
  std::uint64_t refused = 0;
  std::deque<std::string> waiting;
  for (int k = 0; k < 20'000; ++k) {
    const std::size_t size = random() % (k / 2000 % 2 == 0 ? 5 : 300);
    const std::string id = std::string(random() % 40, 'x') + std::to_string(k);
    const std::vector<TaskQuestion> tasks(1 + random() % 3, asked(static_cast<std::uint64_t>(k + 1)));
    const Question question{
        .x = FeatureView::sparse(std::span(index).first(size), std::span(value).first(size)), .tasks = tasks};
    if (queue.has_room_for(LabelQueue::bytes_of(id, question.x, {}, tasks.size()))) {
      ASSERT_NO_THROW(queue.add(id, question));
      waiting.push_back(id);
    } else {
      ++refused;
      const auto tasks_there = static_cast<std::uint32_t>(queue.find(waiting.front())->tasks.size());
      for (std::uint32_t task = 0; task < tasks_there; ++task) take(queue, waiting.front(), 1, task);
      waiting.pop_front();
    }
    ASSERT_LE(queue.bytes(), 50'000);
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 19'000);
}

TEST(LabelQueue, expired_questions_are_dropped_even_if_no_label_ever_comes) {
  LabelQueue queue({.keep = 5, .max_rounds = 10});
  std::size_t most = 0;
  for (std::uint64_t k = 1; k <= 1000; ++k) {
    queue.expire(k, 0, [](const Question&) {});
    ask(queue, std::to_string(k), k);
    most = std::max(most, queue.bytes());
  }
  EXPECT_LT(most, 20 * LabelQueue::bytes_of("1000", x));
}

}  // namespace
}  // namespace askfew

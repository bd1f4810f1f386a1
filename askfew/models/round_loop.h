#pragma once

// The loop of ask and tell over labelled instances.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "askfew/core/round.h"
#include "askfew/protocol/document_decider.h"
#include "askfew/protocol/one_vs_rest.h"
#include "askfew/protocol/task.h"

namespace askfew {

/// The tasks for a stream: tasks with their own decisions, or tasks that share their decisions, which are the
/// classes of one task or topics that are asked together.
struct TaskSet {
  enum class Shared : std::uint8_t { by_classes, by_topics };

  TaskSet() = default;
  TaskSet(std::span<Task> all, AnyDecisions* common = nullptr, Shared how = Shared::by_classes)
      : tasks(all), decisions(common), shared(how) {}
  TaskSet(std::vector<Task>& all, AnyDecisions* common = nullptr, Shared how = Shared::by_classes)
      : TaskSet(std::span<Task>(all), common, how) {}

  /// The number of rounds that an instance has: one for all classes, else one per task.
  [[nodiscard]] std::size_t rounds_an_instance() const {
    return decisions != nullptr && shared == Shared::by_classes ? 1 : tasks.size();
  }

  std::span<Task> tasks;
  AnyDecisions* decisions = nullptr;  ///< null: each task decides for itself
  Shared shared = Shared::by_classes;
};

/// The loop of ask and tell over labelled instances. All code that runs tasks over data uses this loop,
/// except a session: its labels come later.
class RoundLoop {
 public:
  /// `new_features`: of the rows of the next call of `run`; see Lookahead. REQUIRES: the tasks and
  /// `new_features` outlive this object.
  explicit RoundLoop(TaskSet set, const NewFeatures* new_features = nullptr)
      : tasks_(set.tasks), new_features_(new_features), decider_(set.decisions), rounds_(tasks_.size()) {
    if (decider_ == nullptr) {
      group_ = group_of(tasks_);
      if (group_ != nullptr) margins_ = dynamic_cast<const SharedMargins*>(tasks_[0].shared.get());
      return;
    }
    if (set.shared == TaskSet::Shared::by_classes) {
      classes_.emplace(tasks_, *decider_);
    } else {
      together_.emplace(tasks_, *decider_);
    }
  }

  /// Runs the tasks over consecutive instances; labels are revealed only when asked. After each round of a
  /// task calls see(task, x, round), which returns whether to continue. `task` is the task's index in the
  /// set, or 0 for the one round that all classes share. `Rows` has the interface of Batch. THROWS:
  /// NumericError, MemoryError, and what `see` throws. If a task that decides for itself fails, this task has
  /// learned nothing of its round, and each other task has completed the round or not begun it.
  template <class Rows, class See>
  void run(const Rows& rows, const See& see) {
    for_each_row(rows, [&](const FeatureView& x, std::span<const Label> labels) {
      return classes_    ? run_classes(x, labels, see)
             : together_ ? run_together(x, labels, see)
                         : run_tasks(x, labels, see);
    });
  }
  /// The same for a caller that needs no rounds: sets asked[row] to 1 where a label was asked. Faster for
  /// tasks that share their margins.
  template <class Rows>
  void run_and_mark(const Rows& rows, std::vector<unsigned char>& asked) {
    if (group_ == nullptr) {
      return run(rows, [&](std::size_t /*task*/, const FeatureView& /*x*/, const Round& round) {
        asked[row_] |= static_cast<unsigned char>(round.query.asked);
        return true;
      });
    }
    const SamplerGroup::Pass pass(*group_, rows.size());
    for_each_row(rows, [&](const FeatureView& x, std::span<const Label> labels) {
      asked[row_] |= static_cast<unsigned char>(
          group_->run(x, *margins_, labels.subspan(tasks_[0].label, tasks_.size())));
      return true;
    });
  }

  /// Do some tasks share work? Then they use the new features.
  [[nodiscard]] bool shares_work() const {
    return std::ranges::any_of(tasks_, [](const Task& task) { return task.shared != nullptr; });
  }
  /// The row that the last call reached.
  [[nodiscard]] std::size_t row() const { return row_; }

 private:
  void tell_time(std::int64_t time) {
    for (Task& task : tasks_) task.sampler->advance_to(time);
    if (decider_ != nullptr) decider_->advance_to(time);
  }

  /// The margin of an asked instance, before its label is learned.
  static double margin_of(const Task& task, const FeatureView& x, const Query& query) {
    return task.has_exact_margins || !task.sampler->started() ? query.score.margin : task.sampler->margin(x);
  }

  /// The tasks as one group, if they share their margins and count nothing else.
  static std::unique_ptr<SamplerGroup> group_of(std::span<Task> tasks) {
    std::vector<GroupMember> members;
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      Task& task = tasks[k];
      const bool fits = task.shared != nullptr && task.shared == tasks[0].shared && task.watch == nullptr &&
                        task.label == tasks[0].label + k && task.has_exact_margins;
      if (!fits) return nullptr;
      members.push_back({task.sampler.get(), &task.confusion, &task.calibration});
    }
    return members.empty() ? nullptr : members[0].sampler->make_group(members);
  }

  /// Calls run(x, labels) for each row, as long as it returns true.
  template <class Rows, class Run>
  void for_each_row(const Rows& rows, const Run& run) {
    row_ = 0;
    Lookahead lookahead(tasks_, rows.instances(), new_features_);
    for (; row_ < rows.size(); ++row_) {
      lookahead.go_to(row_);
      if (rows.is_timed()) tell_time(rows.time(row_));
      if (!run(rows.instances()[row_], rows.labels(row_))) return;
    }
  }

  template <class See>
  bool run_tasks(const FeatureView& x, std::span<const Label> labels, const See& see) {
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      rounds_[k].query = tasks_[k].sampler->ask(x);
      learn(tasks_[k], x, labels[tasks_[k].label], rounds_[k]);
      if (!see(k, x, rounds_[k])) return false;
    }
    return true;
  }

  /// The half of a round after the question.
  static void learn(Task& task, const FeatureView& x, Label y, Round& round) {
    const Query& query = round.query;
    round.updated = false;
    if (query.asked) {
      task.calibration.add(margin_of(task, x, query), y, query.chance());
      round.updated = task.sampler->tell(x, y, query);
    }
    round.prediction = number_of(query.prediction);
    count(task, y, round);
  }

  static void count(Task& task, Label y, Round& round) {
    round.label = number_of(y);
    task.confusion.add(round.query.prediction, y);
    if (task.watch) task.watch->add(round);
  }

  template <class See>
  bool run_together(const FeatureView& x, std::span<const Label> labels, const See& see) {
    together_->ask(x, rounds_);
    const bool asked = rounds_[0].query.asked;
    for (std::size_t k = 0; asked && k < tasks_.size(); ++k)
      rounds_[k].updated = together_->tell(x, labels[tasks_[k].label], k, rounds_[k]);
    if (asked) together_->observe(rounds_[0].query);
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      const Label y = labels[tasks_[k].label];
      const Query& query = rounds_[k].query;
      if (asked) tasks_[k].calibration.add(query.score.margin, y, query.chance());
      count(tasks_[k], y, rounds_[k]);
      if (!see(k, x, rounds_[k])) return false;
    }
    return true;
  }

  template <class See>
  bool run_classes(const FeatureView& x, std::span<const Label> labels, const See& see) {
    const auto truth =
        static_cast<LabelNumber>(std::find(labels.begin(), labels.end(), Label::positive) - labels.begin());
    Round round = classes_->ask(x);
    if (round.query.asked) {
      tasks_[0].calibration.add(round.query.score.margin,
                                round.prediction == truth ? Label::positive : Label::negative,
                                round.query.chance());
    }
    round.updated = round.query.asked && classes_->tell(x, truth, round);
    round.label = truth;
    for (std::size_t k = 0; k < tasks_.size(); ++k) count_class(static_cast<LabelNumber>(k), round);
    return see(0, x, round);
  }

  /// Counts one class against the rest.
  void count_class(LabelNumber k, const Round& round) {
    Task& task = tasks_[k];
    const bool predicted = round.prediction == k;
    const bool is_one = round.label == k;
    task.confusion.add(label_of(predicted ? 1 : 0), label_of(is_one ? 1 : 0));
    if (!task.watch) return;
    Round of_class = round;
    of_class.query.score = {};  // the margin does not belong to this class
    of_class.prediction = predicted ? 1 : 0;
    of_class.label = is_one ? 1 : 0;
    task.watch->add(of_class);
  }

  std::span<Task> tasks_;
  const NewFeatures* new_features_;
  AnyDecisions* decider_;
  std::optional<OneVsRest> classes_;
  std::optional<DocumentDecider> together_;
  std::unique_ptr<SamplerGroup> group_;     // all tasks; null: they run one after the other
  const SharedMargins* margins_ = nullptr;  // of the group
  std::vector<Round> rounds_;               // of the last instance
  std::size_t row_ = 0;
};

}  // namespace askfew

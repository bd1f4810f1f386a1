#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "askfew/models/model.h"

namespace askfew {

/// The tasks of a model, one instance at a time: tasks that decide for themselves, the classes of one task,
/// or topics that are asked together. AskTell and Session add what they know about labels.
class LiveTasks {
 public:
  /// REQUIRES: the model outlives this object and keeps its tasks.
  explicit LiveTasks(Model& model);

  /// The number of rounds that an instance has: one per task, or one for all classes.
  [[nodiscard]] std::size_t rounds_an_instance() const { return classes_ ? 1 : tasks_.size(); }
  [[nodiscard]] bool are_classes() const { return classes_.has_value(); }
  /// See OneVsRest::mix_late_labels.
  void mix_late_labels() {
    if (classes_) classes_->mix_late_labels();
  }

  /// The time of the next instances, in seconds since 1970, for budgets that depend on time.
  void advance_to(std::int64_t time);
  /// Decides about an instance. If one task fails, all tasks have had a round, without a prediction.
  /// REQUIRES: rounds_an_instance() rounds. THROWS: NumericError, MemoryError.
  void ask(const FeatureView& x, std::span<Round> rounds);
  /// The rounds that `ask` would write; changes nothing. THROWS: as `ask`.
  void peek(const FeatureView& x, std::span<Round> rounds) const;
  /// Learns the label of an asked round, now or later; returns whether a learner was updated. `task`: the
  /// index of the round. `observe` must follow the labels that came at the same time. REQUIRES: the round was
  /// asked; the label is one of the task. THROWS: NumericError, MemoryError.
  bool tell(const FeatureView& x, LabelNumber label, std::size_t task, const Round& round);
  /// The labels of an instance that came at the same time have been told.
  void observe(const Query& query);
  /// The score from which the rule decided a task's round: of topics that are asked together it has the
  /// margin of another topic. `rounds`: those of `ask`.
  [[nodiscard]] Score decided_by(std::size_t task, std::span<const Round> rounds) const {
    return together_ ? DocumentDecider::score_of(rounds) : rounds[task].query.score;
  }
  /// Explains a decision about the last instance. `decided_by`: see above. REQUIRES: exact mode, and no label
  /// was told since.
  [[nodiscard]] Explanation explain(const FeatureView& x, std::size_t task, const Query& query,
                                    const Score& decided_by) const;

 private:
  [[nodiscard]] Explanation explain_task(const FeatureView& x, std::size_t task, const Query& query) const;

  std::span<Task> tasks_;
  AnyDecisions* decisions_;
  std::optional<OneVsRest> classes_;
  std::optional<DocumentDecider> together_;
};

}  // namespace askfew

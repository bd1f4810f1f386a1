#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "askfew/models/live_tasks.h"
#include "askfew/models/model.h"
#include "askfew/streams/memory/memory_rows.h"

// Threads: many threads may call const members at the same time if no thread calls another member.

namespace askfew {

/// Asks a model about one instance at a time; its labels come at any later time, or in blocks. A Session adds
/// names, a ledger and questions that expire.
class AskTell {
 public:
  explicit AskTell(Model model);

  [[nodiscard]] const Model& model() const { return model_; }
  /// The number of rounds that an instance has: one per task, or one for all classes.
  [[nodiscard]] std::size_t rounds_an_instance() const { return tasks_.rounds_an_instance(); }

  /// The time of the next instances, in seconds since 1970, for budgets that depend on time.
  void advance_to(std::int64_t time) { tasks_.advance_to(time); }
  /// Decides about an instance that the model's features have settled. Writes one round per task, or one for
  /// all classes. THROWS: NumericError, MemoryError; DataError for a norm that the learner does not accept.
  void ask(const FeatureView& x, std::span<Round> rounds);
  /// The rounds that `ask` would write; changes nothing. THROWS: as `ask`.
  void peek(const FeatureView& x, std::span<Round> rounds) const;
  /// Learns the label of an asked round, and returns whether the learner was updated. `task`: the index of
  /// the round in those of `ask`. REQUIRES: the round was asked; the label is one of the task. THROWS:
  /// NumericError, MemoryError.
  bool tell(const FeatureView& x, LabelNumber label, std::size_t task, const Round& round);
  /// Explains a decision about the last instance. REQUIRES: exact mode, and no label was told since.
  [[nodiscard]] Explanation explain(const FeatureView& x, std::size_t task, const Query& query) const {
    return tasks_.explain(x, task, query, query.score);
  }

  /// The margins of every task, or of every class. THROWS: NumericError, MemoryError.
  void margins(const FeatureView& x, std::span<double> margins) const;

  /// Runs the model over labelled rows: labels are revealed only when asked. `labels` and `times` as in
  /// MemoryBatch; with classes, a row has one label per class. The members for a stream in `options` are not
  /// used. Returns the number of rounds. THROWS: ConfigError, DataError, NumericError, MemoryError.
  std::uint64_t run(MemoryRows& rows, std::span<const Label> labels, std::span<const std::int64_t> times,
                    const RunLoopOptions& options);

  /// Settles the row of a block for the model, and learns from it what features need.
  void settle(Examples& block, std::size_t row) { model_.features.finish(block, row, 1); }

 private:
  void check_norm(const FeatureView& x) const;
  void watch(std::span<const Round> rounds);

  Model model_;
  LiveTasks tasks_;
  bool unit_norm_;
};

}  // namespace askfew

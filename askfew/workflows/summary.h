#pragma once

// The results of a run: totals per task and over all tasks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askfew/estimates/drift_alarm.h"
#include "askfew/estimates/estimate.h"
#include "askfew/estimates/learning_curve.h"
#include "askfew/models/model.h"

// The results of a model so far, as plain values.

namespace askfew {

/// Counts are sums over the tasks; rates are means over the tasks (the macro average).
struct Totals {
  std::uint64_t rounds = 0;
  std::uint64_t positives = 0;
  std::uint64_t asked = 0;
  std::uint64_t updates = 0;
  std::uint64_t mistakes = 0;          ///< in all rounds, asked or not
  std::uint64_t spreads = 0;           ///< rounds whose spread was computed; 0 without a spread
  double expected_asked = 0;           ///< the sum of the probabilities, or of their upper bounds
  double expected_asked_at_least = 0;  ///< the sum of the lower bounds
  double accuracy = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

/// The totals of a task, or of a class against the rest.
Totals totals_of(const Model& model, std::size_t task);
/// The totals of all tasks. A multi-class model is one task: it has its own rounds, labels, mistakes and
/// accuracy; precision, recall and F are means over the classes.
Totals totals_of(const Model& model);

/// The quality of a task, estimated from asked labels only.
struct EstimateSummary {
  Quality whole;                     ///< over the whole run
  Quality recent;                    ///< over the recent rounds
  std::vector<Change> changes;       ///< the noticed changes, in order
  double labels = 0;                 ///< number of labels asked so far
  std::optional<StopAdvice> advice;  ///< the value of doubling the labels; nothing: too few labels so far
};
EstimateSummary estimate_of(const QualityMonitor& watch);

struct TaskSummary {
  std::string name;
  Totals totals;
  std::optional<EstimateSummary> estimate;  ///< only with an audit
};

/// The spending limit of each task.
struct BudgetSummary {
  std::string budget;         ///< as given: "500", "5%", "200/day"
  std::uint64_t horizon = 0;  ///< rounds that the budget covers; 0: unknown
  bool over = false;          ///< there were more rounds than the budget covers
  std::uint64_t assumed =
      0;  ///< rounds for which a count is planned whose end is unknown; 0: nothing assumed
};

/// A column of a table and its role.
struct ColumnSummary {
  std::string name;
  ColumnKind kind = ColumnKind::ignored;
};

/// How data is read.
struct InputSummary {
  InputKind kind = InputKind::unknown;
  std::string format;                  ///< a name of `format_names`; empty: unknown
  bool header = false;                 ///< of a table: the first line has the names of the columns
  std::vector<ColumnSummary> columns;  ///< of a table
};
InputSummary input_of(const ModelConfig& config);

struct ModelSummary {
  std::string preset;   ///< name of the preset that has the same learner, rule and update; empty: none
  std::string learner;  ///< learner and rule: with all parameters
  std::string rule;
  std::string update;
  std::string aim;  ///< "accuracy", "f1", "recall=0.9"
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;               ///< in total, before and after a resume
  std::uint64_t seed_labels = 0;          ///< learned before the first round; no other count has them
  bool multiclass = false;                ///< true: the tasks are the classes
  bool together = false;                  ///< topics: rounds, labels and the budget of `all` are of documents
  std::optional<std::uint64_t> opened{};  ///< instances with an asked label; nothing: not counted
  bool truth_known = true;  ///< false: a session's model; the labels that were not asked are unknown
  std::optional<BudgetSummary> budget;
  std::vector<TaskSummary> tasks;
  Totals all;
  /// Labels under a budget that were asked for and not learned, because the update policy uses only those of
  /// wrong predictions; 0 if most were learned.
  std::uint64_t unlearned = 0;
};
ModelSummary summary_of(const Model& model);
/// The summary for programs.
std::string json_of(const ModelSummary& summary);

}  // namespace askfew

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askfew/estimates/drift_alarm.h"
#include "askfew/estimates/estimate.h"
#include "askfew/estimates/learning_curve.h"
#include "askfew/models/model.h"

// What a model has done so far, as plain values.

namespace askfew {

/// Counts are sums over the tasks, rates are means over them (the macro average).
struct Totals {
  std::uint64_t rounds = 0;
  std::uint64_t positives = 0;
  std::uint64_t asked = 0;
  std::uint64_t updates = 0;
  std::uint64_t mistakes = 0;          ///< on all rounds, asked or not
  std::uint64_t spreads = 0;           ///< rounds whose spread was computed; 0 without a spread
  double expected_asked = 0;           ///< the sum of the probabilities, or of their upper bounds
  double expected_asked_at_least = 0;  ///< the same with their lower bounds
  double accuracy = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

/// Of a task, or of a class against the rest.
Totals totals_of(const Model& model, std::size_t task);
/// Of all tasks. A multi-class model is one task: rounds, labels, mistakes and accuracy are its own;
/// precision, recall and F are means over the classes.
Totals totals_of(const Model& model);

/// What asked labels alone say of a task.
struct EstimateSummary {
  Quality whole;                     ///< of the whole run
  Quality recent;                    ///< of the recent rounds
  std::vector<Change> changes;       ///< that were noticed, in their order
  double labels = 0;                 ///< asked so far
  std::optional<StopAdvice> advice;  ///< what as many labels again would bring; none: too few so far
};
EstimateSummary estimate_of(const QualityMonitor& watch);

struct TaskSummary {
  std::string name;
  Totals totals;
  std::optional<EstimateSummary> estimate;  ///< with an audit
};

/// What each task may spend.
struct BudgetSummary {
  std::string budget;         ///< as it was given: "500", "5%", "200/day"
  std::uint64_t horizon = 0;  ///< rounds that it is for; 0: unknown
  bool over = false;          ///< more rounds came than a number of labels was for
};

struct ModelSummary {
  std::string learner;  ///< with all parameters, as the rule
  std::string rule;
  std::string update;
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;  ///< in all, before and after a resume
  bool multiclass = false;   ///< then the tasks are the classes
  std::optional<BudgetSummary> budget;
  std::vector<TaskSummary> tasks;
  Totals all;
};
ModelSummary summary_of(const Model& model);

}  // namespace askfew

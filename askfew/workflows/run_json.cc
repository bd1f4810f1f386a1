#include <nlohmann/json.hpp>

#include "askfew/core/version.h"
#include "askfew/json/json_text.h"
#include "askfew/workflows/run.h"

namespace askfew {
namespace {

using nlohmann::json;

json json_of(const Totals& totals) {
  return {{"rounds", totals.rounds},
          {"asked", totals.asked},
          {"expected_asked", totals.expected_asked},
          {"expected_asked_at_least", totals.expected_asked_at_least},
          {"spreads", totals.spreads},
          {"mistakes", totals.mistakes},
          {"updates", totals.updates},
          {"precision", totals.precision},
          {"recall", totals.recall},
          {"f1", totals.f1},
          {"accuracy", totals.accuracy}};
}

json json_of(const Estimated& figure) {
  return {{"value", figure.value}, {"low", figure.interval.low}, {"high", figure.interval.high}};
}

json json_of(const Quality& quality) {
  return {{"rounds", quality.rounds},
          {"uncovered", quality.uncovered},
          {"error", json_of(quality.error)},
          {"accuracy", json_of(quality.accuracy)},
          {"precision", json_of(quality.precision)},
          {"recall", json_of(quality.recall)},
          {"f1", json_of(quality.f1)}};
}

json json_of(const EstimateSummary& estimate) {
  json changes = json::array();
  for (const Change& change : estimate.changes) {
    changes.push_back({{"kind", text_of(change.kind)}, {"round", change.round}, {"since", change.since}});
  }
  json out = {{"whole", json_of(estimate.whole)},
              {"recent", json_of(estimate.recent)},
              {"changes", changes},
              {"next_labels", nullptr}};
  if (estimate.advice) {
    out["next_labels"] = {{"labels", estimate.labels},
                          {"gain", estimate.advice->gain},
                          {"low", estimate.advice->interval.low},
                          {"high", estimate.advice->interval.high}};
  }
  return out;
}

json json_by_task(const ModelSummary& summary) {
  json list = json::array();
  for (const TaskSummary& task : summary.tasks) {
    json entry = json_of(task.totals);
    entry["task"] = task.name;
    if (task.estimate) entry["estimate"] = json_of(*task.estimate);
    list.push_back(entry);
  }
  return list;
}

json json_of(const FinalResult& result, std::size_t task) {
  const FinalClassifier& one = result.tasks[task];
  json out = {{"choice", text_of(result.choice)}, {"delta", result.delta}, {"risk_bound", one.risk_bound}};
  if (result.choice == FinalChoice::average) {
    out["scale"] = one.average.scale;
    out["mean_hinge_loss"] = one.average.mean_loss;
  } else {
    out["round"] = one.tested.round;
    out["tests"] = one.tested.tests;
    out["errors"] = one.tested.errors;
  }
  return out;
}

json json_of(const ControlResult& control) {
  return {{"asked", control.asked},
          {"f1", control.f1},
          {"labels_for_the_lower_f1", control.needed},
          {"labels_saved", control.saved}};
}

json as_json(const ModelSummary& summary) {
  json out = {{"sampler",
               {{"learner", summary.learner},
                {"rule", summary.rule},
                {"update", summary.update},
                {"aim", summary.aim}}},
              {"seed", summary.seed},
              {"version", version},
              {"multiclass", summary.multiclass},
              {"tasks", json_by_task(summary)},
              {"macro", json_of(summary.all)}};
  if (summary.seed_labels > 0) out["seed_labels"] = summary.seed_labels;
  if (summary.opened) {
    out["ask"] = summary.together ? "together" : "apart";
    out["documents_opened"] = *summary.opened;
  }
  if (summary.budget) {
    out["budget"] = {{"budget", summary.budget->budget},
                     {"horizon", summary.budget->horizon},
                     {"assumed", summary.budget->assumed},
                     {"over", summary.budget->over}};
  }
  return out;
}

}  // namespace

std::string json_of(const ModelSummary& summary) {
  return json_text(as_json(summary), 2);
}

std::string json_of(const RunResult& result) {
  const ModelSummary& summary = result.summary;
  json out = as_json(summary);
  out["skipped"] = result.skipped;
  out["stopped"] = result.stopped;
  out["seconds"] = result.seconds;
  out["examples_per_second"] = result.seconds > 0 ? static_cast<double>(result.rounds) / result.seconds : 0.0;
  out["format"] = result.input.format;
  out["notes"] = result.notes;
  if (result.final_classifier) {
    for (std::size_t k = 0; k < summary.tasks.size(); ++k) {
      out["tasks"][k]["final"] = json_of(*result.final_classifier, k);
    }
  }
  if (result.control) out["control"] = json_of(*result.control);
  if (result.baseline) {
    out["baseline"] = {{"tasks", json_by_task(*result.baseline)}, {"macro", json_of(result.baseline->all)}};
  }
  return json_text(out, 2);
}

}  // namespace askfew

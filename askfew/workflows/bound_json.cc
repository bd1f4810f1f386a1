#include <nlohmann/json.hpp>

#include "askfew/core/version.h"
#include "askfew/json/json_text.h"
#include "askfew/trials/statistics.h"
#include "askfew/workflows/bound.h"

namespace askfew {
namespace {

using nlohmann::json;

json json_of(const Sample& sample) {
  return {{"mean", sample.mean}, {"standard_error", sample.standard_error}};
}

json json_of(const TheoremRow& row) {
  json out = {{"theorem", row.theorem}, {"promise", row.promise}, {"applies", row.why_not.empty()}};
  if (row.why_not.empty()) {
    out["bound"] = row.bound;
    out["standard_error"] = row.standard_error;
    if (row.over_all_rounds) out["bound_over_all_rounds"] = *row.over_all_rounds;
    out["gamma"] = row.gamma;
  } else {
    out["why_not"] = row.why_not;
  }
  return out;
}

json json_of(const TaskBounds& task) {
  json theorems = json::array();
  for (const TheoremRow& row : task.theorems) theorems.push_back(json_of(row));
  return {{"task", task.name},
          {"rounds", task.rounds},
          {"comparator",
           {{"norm", task.u.norm},
            {"wrong", task.u.wrong},
            {"hinge_loss", task.u.rounds.loss(1)},
            {"objective", task.svm.objective},
            {"gap", task.svm.gap},
            {"epochs", task.svm.epochs}}},
          {"mistakes", json_of(sample_of(task.runs.mistakes))},
          {"asked", json_of(sample_of(task.runs.asked))},
          {"expected_asked", json_of(sample_of(task.runs.expected_asked))},
          {"theorems", std::move(theorems)}};
}

}  // namespace

std::string json_of(const BoundResult& result) {
  json tasks = json::array();
  for (const TaskBounds& task : result.tasks) tasks.push_back(json_of(task));
  return json_text(json{{"version", version},
                        {"sampler",
                         {{"learner", text_of(result.sampler.learner)},
                          {"rule", text_of(result.sampler.rule)},
                          {"update", text_of(result.sampler.update)}}},
                        {"seed", result.first_seed},
                        {"seeds", result.seeds},
                        {"svm_c", result.svm_c},
                        {"tasks", std::move(tasks)}},
                   2);
}

}  // namespace askfew

#include "apps/cli/reports/bound_report.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "askfew/core/version.h"
#include "askfew/trials/statistics.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

std::string text_of(const Sample& sample) {
  return fmt::format("{:.1f} +- {:.1f}", sample.mean, sample.standard_error);
}

std::string text_of(const TheoremRow& row, const Sample& mistakes) {
  const std::string head = fmt::format("{:<20} {:<18}", row.theorem, row.promise);
  if (!row.why_not.empty()) return fmt::format("{} does not apply: {}\n", head, row.why_not);
  const std::string ratio = mistakes.mean > 0 ? fmt::format("{:.2f}", row.bound / mistakes.mean) : "-";
  const std::string all = row.over_all_rounds ? fmt::format("{:.1f}", *row.over_all_rounds) : "-";
  return fmt::format("{} {:>10.1f} {:>16} {:>7} {:>10.4g} {:>11}\n", head, row.bound, text_of(mistakes),
                     ratio, row.gamma, all);
}

std::string text_of(const TaskBounds& task, double svm_c) {
  const Sample mistakes = sample_of(task.runs.mistakes);
  std::string text = fmt::format("\ntask       {}: {} rounds\n", task.name, task.rounds);
  text += fmt::format(
      "comparator linear SVM, C = {:g}: |u| = {:.4g}, wrong on {} rounds; gap {:.1e} after {} passes\n",
      svm_c, task.u.norm, task.u.wrong, task.svm.gap / task.svm.objective, task.svm.epochs);
  text += fmt::format("labels     {} asked, {} expected\n", text_of(sample_of(task.runs.asked)),
                      text_of(sample_of(task.runs.expected_asked)));
  text += fmt::format("mistakes   {}\n", text_of(mistakes));
  if (task.theorems.empty()) return text + "no theorem of the papers is about this sampler\n";
  text += fmt::format("{:<20} {:<18} {:>10} {:>16} {:>7} {:>10} {:>11}\n", "theorem", "promises", "bound",
                      "observed", "ratio", "gamma", "all rounds");
  for (const TheoremRow& row : task.theorems) text += text_of(row, mistakes);
  return text;
}

json json_of(const Sample& sample) {
  return {{"mean", sample.mean}, {"standard_error", sample.standard_error}};
}

json json_of(const TheoremRow& row) {
  json out = {{"theorem", row.theorem}, {"promise", row.promise}, {"applies", row.why_not.empty()}};
  if (row.why_not.empty()) {
    out["bound"] = row.bound;
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

std::string text_of(const BoundReport& report) {
  std::string text = fmt::format("sampler    {} + {}, update on {}; {} runs, seeds from {}\n",
                                 text_of(report.sampler.learner), text_of(report.sampler.rule),
                                 text_of(report.sampler.update), report.seeds, report.first_seed);
  for (const TaskBounds& task : report.tasks) text += text_of(task, report.svm_c);
  return text;
}

json json_of(const BoundReport& report) {
  json tasks = json::array();
  for (const TaskBounds& task : report.tasks) tasks.push_back(json_of(task));
  return {{"version", version},
          {"sampler",
           {{"learner", text_of(report.sampler.learner)},
            {"rule", text_of(report.sampler.rule)},
            {"update", text_of(report.sampler.update)}}},
          {"seed", report.first_seed},
          {"seeds", report.seeds},
          {"svm_c", report.svm_c},
          {"tasks", std::move(tasks)}};
}

}  // namespace askfew::cli

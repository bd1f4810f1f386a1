#include "apps/cli/reports/bound_report.h"

#include <fmt/core.h>

#include "askfew/config/printable.h"
#include "askfew/trials/statistics.h"

namespace askfew::cli {
namespace {

std::string mean_text(const Sample& sample) {
  return fmt::format("{:.1f} +- {:.1f}", sample.mean, sample.standard_error);
}

std::string row_text(const TheoremRow& row, const Sample& mistakes) {
  const std::string head = fmt::format("{:<20} {:<18}", row.theorem, row.promise);
  if (!row.why_not.empty()) return fmt::format("{} does not apply: {}\n", head, row.why_not);
  const std::string ratio = mistakes.mean > 0 ? fmt::format("{:.2f}", row.bound / mistakes.mean) : "-";
  const std::string updates =
      row.over_all_rounds ? mean_text(Sample{.mean = row.bound, .standard_error = row.standard_error}) : "-";
  return fmt::format("{} {:>10.1f} {:>16} {:>16} {:>7} {:>10.4g}\n", head,
                     row.over_all_rounds.value_or(row.bound), updates, mean_text(mistakes), ratio, row.gamma);
}

std::string task_text(const TaskBounds& task, double svm_c) {
  const Sample mistakes = sample_of(task.runs.mistakes);
  std::string text = fmt::format("\ntask       {}: {} rounds\n", printable(task.name), task.rounds);
  text += fmt::format(
      "comparator linear SVM, C = {:g}: |u| = {:.4g}, wrong on {} rounds; gap {:.1e} after {} passes\n",
      svm_c, task.u.norm, task.u.wrong, task.svm.gap / task.svm.objective, task.svm.epochs);
  text += fmt::format("labels     {} asked, {} expected\n", mean_text(sample_of(task.runs.asked)),
                      mean_text(sample_of(task.runs.expected_asked)));
  text += fmt::format("mistakes   {}\n", mean_text(mistakes));
  if (task.theorems.empty()) return text + "no theorem of the papers is about this sampler\n";
  text += fmt::format("{:<20} {:<18} {:>10} {:>16} {:>16} {:>7} {:>10}\n", "theorem", "promises",
                      "all rounds", "on updates", "observed", "ratio", "gamma");
  for (const TheoremRow& row : task.theorems) text += row_text(row, mistakes);
  return text;
}

}  // namespace

std::string text_of(const BoundResult& result) {
  std::string text = fmt::format("sampler    {} + {}, update on {}; {} runs, seeds from {}\n",
                                 text_of(result.sampler.learner), text_of(result.sampler.rule),
                                 text_of(result.sampler.update), result.seeds, result.first_seed);
  for (const TaskBounds& task : result.tasks) text += task_text(task, result.svm_c);
  return text;
}

}  // namespace askfew::cli

#include "apps/cli/reports/run_report.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/config/printable.h"
#include "askfew/config/text.h"
#include "askfew/workflows/input_kind.h"

#include "apps/cli/options/flags.h"
#include "apps/cli/reports/estimate_report.h"
#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

std::string percent(double part, double whole) {
  return whole == 0 ? "0%" : fmt::format("{:.2f}%", 100 * part / whole);
}
std::string percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

/// How many labels the probabilities add up to: an interval where bounds settled rounds.
std::string expected_text(const Totals& all) {
  const std::string least = fmt::format("{:.1f}", all.expected_asked_at_least);
  const std::string most = fmt::format("{:.1f}", all.expected_asked);
  return least == most ? most : least + " to " + most;
}

std::string asked_text(const Totals& all) {
  return fmt::format("{} of {} labels ({}), {} saved; expected {}\n", grouped(all.asked), grouped(all.rounds),
                     percent(all.asked, all.rounds), grouped(all.rounds - all.asked), expected_text(all));
}

/// One task: what it asked, and how it did. `every`: the same learner asking for everything, if it was run.
std::string single_report(const Totals& all, const Totals* every, bool truth_known) {
  std::string text = "asked      " + asked_text(all);
  if (!truth_known) {
    return text + fmt::format(
                      "mistakes   unknown, because some labels were not asked; {} updates\n"
                      "accuracy   unknown; askfew evaluate tells it from labelled data\n",
                      grouped(all.updates));
  }
  text += fmt::format("mistakes   {} on all rounds, asked or not; {} updates\n", grouped(all.mistakes),
                      grouped(all.updates));
  text += fmt::format("accuracy   {:.2f}%\n", 100 * all.accuracy);
  text +=
      fmt::format("F          {:.4f} (precision {:.4f}, recall {:.4f})\n", all.f1, all.precision, all.recall);
  if (every != nullptr) {
    text +=
        fmt::format("asking for everything: accuracy {:.2f}%, F {:.4f} (precision {:.4f}, recall {:.4f})\n",
                    100 * every->accuracy, every->f1, every->precision, every->recall);
  }
  return text;
}

/// In a table: the last column, if there is an audit.
std::string estimated_head(const ModelSummary& summary) {
  return summary.tasks[0].estimate ? "  estimated F, 95% interval" : "";
}
/// Under a table.
std::string all_uncovered_text(const ModelSummary& summary) {
  std::uint64_t uncovered = 0;
  for (const TaskSummary& task : summary.tasks) {
    if (task.estimate) uncovered += task.estimate->whole.uncovered;
  }
  return uncovered_text(uncovered);
}
std::string estimated_column(const TaskSummary& task) {
  return task.estimate ? "  " + estimated_f(task) : "";
}

/// As much of a name as a column has room for.
std::string in_column(std::string_view name) {
  constexpr std::size_t width = 20;
  std::string text = printable(name);
  text.resize(utf8_prefix(std::string_view(text).substr(0, width)));
  return text;
}

/// The classes of a multi-class task.
std::string class_table(const ModelSummary& summary) {
  std::string text = fmt::format("{:<20} {:>9} {:>9} {:>9} {:>7}{}\n", "class", "examples", "precision",
                                 "recall", "F", estimated_head(summary));
  for (const TaskSummary& row : summary.tasks) {
    text += fmt::format("{:<20} {:>9} {:>9.4f} {:>9.4f} {:>7.4f}{}\n", in_column(row.name),
                        grouped(row.totals.positives), row.totals.precision, row.totals.recall, row.totals.f1,
                        estimated_column(row));
  }
  // The classes share their rounds.
  return text + (summary.tasks[0].estimate ? uncovered_text(summary.tasks[0].estimate->whole.uncovered) : "");
}

std::string table_row(std::string_view name, const Totals& row, const Totals* every,
                      const std::string& estimated) {
  std::string text =
      fmt::format("{:<20} {:>9} {:>9} {:>8} {:>8.2f}% {:>7.4f}", in_column(name), grouped(row.positives),
                  grouped(row.asked), percent(row.asked, row.rounds), 100 * row.accuracy, row.f1);
  if (every != nullptr) text += fmt::format(" {:>9.2f}% {:>7.4f}", 100 * every->accuracy, every->f1);
  return text + estimated + "\n";
}

/// Topics that are asked together.
std::string documents_text(const ModelSummary& summary) {
  const Totals& all = summary.all;
  return fmt::format("asked {} of {} documents ({}) for all {} labels of each; expected {}\n",
                     grouped(all.asked), grouped(all.rounds), percent(all.asked, all.rounds),
                     summary.tasks.size(), expected_text(all));
}

/// Topics that decide for themselves: a person opens a document once, whatever the number of its labels.
std::string opened_text(const ModelSummary& summary) {
  if (!summary.opened || summary.together) return "";
  return fmt::format("opened {} of {} documents ({}); with --ask together budgets count documents\n",
                     grouped(*summary.opened), grouped(summary.rounds),
                     percent(*summary.opened, summary.rounds));
}

std::string table_report(const ModelSummary& summary, const ModelSummary* every) {
  std::string text =
      fmt::format("{:<20} {:>9} {:>9} {:>8} {:>9} {:>7}{}{}\n", "task", "positives", "asked", "share",
                  "accuracy", "F", every != nullptr ? "   all: acc.       F" : "", estimated_head(summary));
  for (std::size_t k = 0; k < summary.tasks.size(); ++k) {
    const TaskSummary& task = summary.tasks[k];
    text += table_row(task.name, task.totals, every != nullptr ? &every->tasks[k].totals : nullptr,
                      estimated_column(task));
  }
  const Totals& all = summary.all;
  text += table_row("all (macro average)", all, every != nullptr ? &every->all : nullptr, "");
  text += summary.together ? documents_text(summary) : "asked " + asked_text(all);
  text += opened_text(summary) + all_uncovered_text(summary);
  if (every != nullptr) {
    text += fmt::format("F {:.4f} is {} of the {:.4f} that asking for everything gives\n", all.f1,
                        percent(all.f1, every->all.f1), every->all.f1);
  }
  return text;
}

/// What each task may spend; nothing without a budget.
std::string budget_text(const ModelSummary& summary) {
  if (!summary.budget) return "";
  const BudgetSummary& budget = *summary.budget;
  const std::string horizon =
      budget.horizon > 0 ? fmt::format(" for {} rounds", grouped(budget.horizon)) : "";
  const std::string_view each = summary.together                                  ? ", in documents"
                                : summary.tasks.size() > 1 && !summary.multiclass ? ", each task"
                                                                                  : "";
  const std::string_view then = budget.over ? "; there were more rounds, and the budget did not grow" : "";
  std::string text = fmt::format("budget     {}{}{}{}\n", budget.budget, horizon, each, then);
  if (budget.assumed > 0) {
    text +=
        fmt::format("assumed    about {} rounds, 20 per label; after them the labels left are spent slowly\n",
                    grouped(budget.assumed));
  }
  return text;
}

std::string control_text(const ControlResult& control) {
  return fmt::format("control    asking at random: {} labels, F {:.4f}; ", control.asked, control.f1) +
         (control.run_is_better
              ? fmt::format("this run reached that F with {} labels\n", control.needed)
              : fmt::format("it reached the F of this run with {} labels\n", control.needed));
}

std::string what_it_is(const FinalResult& result, const FinalClassifier& one) {
  if (result.choice == FinalChoice::average) {
    return fmt::format("average of the run's hypotheses, mean hinge loss {:.4f} at scale {:g}",
                       one.average.mean_loss, one.average.scale);
  }
  return fmt::format("{}: the hypothesis of round {}, {} errors in the {} rounds after it",
                     text_of(result.choice), one.tested.round, one.tested.errors, one.tested.tests);
}

/// A line per task.
std::string final_text(const FinalResult& result, const std::vector<TaskSummary>& tasks) {
  std::string text;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const FinalClassifier& one = result.tasks[k];
    const std::string name = tasks.size() == 1 ? "" : printable(tasks[k].name) + ", ";
    text += fmt::format("final      {}{}; risk at most {:.4f} with probability {:g}\n", name,
                        what_it_is(result, one), one.risk_bound, 1 - result.delta);
  }
  return text;
}

/// What was not known of the data beforehand.
std::string unknown_text(const std::string& unknown) {
  return unknown.empty()
             ? ""
             : fmt::format("unknown    {}; in a file, askfew counts first\n", with_flags(unknown));
}

/// The roles of a table's columns: those of numbers and categories only as counts.
std::string columns_text(const InputSummary& input) {
  std::string named;
  std::size_t numeric = 0;
  std::size_t categories = 0;
  for (const auto& [name, kind] : input.columns) {
    numeric += kind == ColumnKind::numeric ? 1 : 0;
    categories += kind == ColumnKind::nominal || kind == ColumnKind::categorical ? 1 : 0;
    const bool is_told = kind == ColumnKind::label || kind == ColumnKind::text || kind == ColumnKind::id ||
                         kind == ColumnKind::time;
    if (is_told) named += fmt::format("{}{} {}", named.empty() ? "" : ", ", text_of(kind), in_quotes(name));
  }
  if (numeric > 0) named += fmt::format(", {} numeric", numeric);
  if (categories > 0) named += fmt::format(", {} categorical", categories);
  return named;
}

/// What was guessed about a table or JSON lines; nothing for formats that leave no choice.
std::string input_text(const InputSummary& input) {
  if (!input.columns.empty()) {
    const std::string_view header = input.format != "csv" ? ""
                                    : input.header        ? " with a header"
                                                          : " without a header";
    return fmt::format("input      {}{}: {}\n", input.format, header, columns_text(input));
  }
  if (input.format != "jsonl" && input.format != "tsv") return "";
  return fmt::format("input      {}: {}\n", input.format, description_of(input.kind));
}

std::string seeds_text(const ModelSummary& summary) {
  if (summary.seed_labels == 0) return "";
  return fmt::format("seeds      {} labels were learned first; no other line counts them\n",
                     grouped(summary.seed_labels));
}

std::string unlearned_text(const ModelSummary& summary) {
  if (summary.unlearned == 0) return "";
  return fmt::format(
      "unused     {} of the labels asked for were not learned (update on {}): --update asked learns all\n",
      grouped(summary.unlearned), summary.update);
}

/// With all parameters.
std::string whole_sampler(const ModelSummary& summary) {
  return fmt::format("{} + {}, update on {}", summary.learner, summary.rule, summary.update);
}

/// A preset by its name and those of its learner and rule; any other sampler with all parameters.
std::string short_sampler(const ModelSummary& summary) {
  if (summary.preset.empty()) return whole_sampler(summary);
  const auto name_of = [](const std::string& spec) { return spec.substr(0, spec.find(':')); };
  return fmt::format("{} ({} + {})", summary.preset, name_of(summary.learner), name_of(summary.rule));
}

std::string model_text(const std::string& sampler, const ModelSummary& summary, const ModelSummary* every,
                       const std::string& unknown, const std::string& input) {
  const std::string head =
      fmt::format("sampler    {}, seed {}\nrounds     {}\n", sampler, summary.seed, grouped(summary.rounds)) +
      (summary.aim == "accuracy" ? "" : fmt::format("aim        {}\n", summary.aim)) + input +
      seeds_text(summary) + budget_text(summary) + unknown_text(unknown) + unlearned_text(summary);
  if (summary.tasks.size() > 1 && !summary.multiclass) return head + table_report(summary, every);
  const std::string single =
      head + single_report(summary.all, every != nullptr ? &every->all : nullptr, summary.truth_known);
  if (!summary.truth_known) return single;
  if (summary.multiclass) return single + class_table(summary);
  return single + (summary.tasks[0].estimate ? estimate_text(summary.tasks[0]) : "");
}

}  // namespace

std::string text_of(const RunResult& result) {
  const std::string stopped = result.stopped ? "stopped    before the data ended\n" : "";
  return model_text(short_sampler(result.summary), result.summary,
                    result.baseline ? &*result.baseline : nullptr, result.unknown,
                    stopped + input_text(result.input)) +
         (result.control ? control_text(*result.control) : "") +
         (result.final_classifier ? final_text(*result.final_classifier, result.summary.tasks) : "");
}

std::string text_of(const ModelSummary& summary) {
  return model_text(whole_sampler(summary), summary, nullptr, "", "");
}

}  // namespace askfew::cli

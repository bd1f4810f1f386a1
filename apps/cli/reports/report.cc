#include "apps/cli/reports/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "askfew/core/version.h"

#include "apps/cli/reports/estimate_report.h"
#include "apps/cli/reports/totals.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

std::string percent(double part, double whole) {
  return whole == 0 ? "0%" : fmt::format("{:.2f}%", 100 * part / whole);
}

json json_by_task(const Model& model) {
  json list = json::array();
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    json entry = json_of(totals_of(model, k));
    entry["task"] = model.tasks[k].name;
    if (model.tasks[k].watch) entry["estimate"] = estimate_json(model.tasks[k]);
    list.push_back(entry);
  }
  return list;
}

/// How many labels the probabilities add up to: an interval where bounds settled rounds.
std::string expected_text(const Totals& all) {
  const std::string least = fmt::format("{:.1f}", all.expected_asked_at_least);
  const std::string most = fmt::format("{:.1f}", all.expected_asked);
  return least == most ? most : least + " to " + most;
}

std::string asked_text(const Totals& all) {
  return fmt::format("{} of {} labels ({}), {} saved; expected {}\n", grouped(all.asked), grouped(all.rounds),
                     percent(static_cast<double>(all.asked), static_cast<double>(all.rounds)),
                     grouped(all.rounds - all.asked), expected_text(all));
}

/// Nothing for a learner without a spread.
std::string spread_text(std::string_view head, const Totals& all) {
  if (all.spreads == 0) return "";
  return fmt::format("{}computed in {} of {} rounds ({})\n", head, grouped(all.spreads), grouped(all.rounds),
                     percent(static_cast<double>(all.spreads), static_cast<double>(all.rounds)));
}

/// One task: what it asked, and how it did.
std::string single_report(const RunReport& report) {
  const Totals all = totals_of(report.model);
  std::string text = "asked      " + asked_text(all) + spread_text("spread     ", all);
  text += fmt::format("mistakes   {} on all rounds, asked or not; {} updates\n", grouped(all.mistakes),
                      grouped(all.updates));
  text += fmt::format("accuracy   {:.2f}%\n", 100 * all.accuracy);
  text +=
      fmt::format("F          {:.4f} (precision {:.4f}, recall {:.4f})\n", all.f1, all.precision, all.recall);
  if (report.baseline != nullptr) {
    const Totals every = totals_of(*report.baseline);
    text +=
        fmt::format("asking for everything: accuracy {:.2f}%, F {:.4f} (precision {:.4f}, recall {:.4f})\n",
                    100 * every.accuracy, every.f1, every.precision, every.recall);
  }
  return text;
}

/// Of a task of its own: what asked labels alone say of it.
std::string watched(const Task& task) {
  return task.watch ? estimate_text(task) : "";
}

/// In a table: the last column, if there is an audit.
std::string estimated_head(const Model& model) {
  return model.tasks[0].watch ? "  estimated F, 95% interval" : "";
}
std::string estimated_column(const Task& task) {
  return task.watch ? "  " + estimated_f(task) : "";
}

/// A multi-class task: the same, and its classes.
std::string class_report(const RunReport& report) {
  std::string text = single_report(report);
  text += fmt::format("{:<20} {:>9} {:>9} {:>9} {:>7}{}\n", "class", "examples", "precision", "recall", "F",
                      estimated_head(report.model));
  for (std::size_t k = 0; k < report.model.tasks.size(); ++k) {
    const Totals row = totals_of(report.model, k);
    text += fmt::format("{:<20} {:>9} {:>9.4f} {:>9.4f} {:>7.4f}{}\n",
                        std::string_view(report.model.tasks[k].name).substr(0, 20), grouped(row.positives),
                        row.precision, row.recall, row.f1, estimated_column(report.model.tasks[k]));
  }
  return text;
}

std::string table_row(std::string_view name, const Totals& row, const Totals* every,
                      const std::string& estimated) {
  std::string text = fmt::format("{:<20} {:>9} {:>9} {:>8} {:>8.2f}% {:>7.4f}", name.substr(0, 20),
                                 grouped(row.positives), grouped(row.asked),
                                 percent(static_cast<double>(row.asked), static_cast<double>(row.rounds)),
                                 100 * row.accuracy, row.f1);
  if (every != nullptr) text += fmt::format(" {:>9.2f}% {:>7.4f}", 100 * every->accuracy, every->f1);
  return text + estimated + "\n";
}

std::string table_report(const RunReport& report) {
  const Model& model = report.model;
  const bool compare = report.baseline != nullptr;
  std::string text =
      fmt::format("{:<20} {:>9} {:>9} {:>8} {:>9} {:>7}{}{}\n", "task", "positives", "asked", "share",
                  "accuracy", "F", compare ? "   all: acc.       F" : "", estimated_head(model));
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    const Totals every = compare ? totals_of(*report.baseline, k) : Totals{};
    text += table_row(model.tasks[k].name, totals_of(model, k), compare ? &every : nullptr,
                      estimated_column(model.tasks[k]));
  }
  const Totals all = totals_of(model);
  const Totals every = compare ? totals_of(*report.baseline) : Totals{};
  text += table_row("all (macro average)", all, compare ? &every : nullptr, "");
  text += "asked " + asked_text(all) + spread_text("spread ", all);
  if (compare) {
    text += fmt::format("F {:.4f} is {} of the {:.4f} that asking for everything gives\n", all.f1,
                        percent(all.f1, every.f1), every.f1);
  }
  return text;
}

/// Has a budget of so many labels been for fewer rounds than there were?
bool is_over(const Model& model) {
  const LabelBudget& budget = model.config.sampler.spending.budget;
  return budget.kind == LabelBudget::Kind::count && budget.horizon > 0 &&
         model.tally(0).round > budget.horizon;
}

/// What each task may spend; nothing without a budget.
std::string budget_text(const Model& model) {
  const LabelBudget& budget = model.config.sampler.spending.budget;
  if (!budget.is_set()) return "";
  const std::string horizon =
      budget.horizon > 0 ? fmt::format(" for {} rounds", grouped(budget.horizon)) : "";
  const std::string_view each = model.tasks.size() > 1 && model.decisions == nullptr ? ", each task" : "";
  const std::string_view then =
      is_over(model) ? "they are over, and it does not grow" : "the rule's scale is steered";
  return fmt::format("budget     {}{}{}; {}\n", text_of(budget), horizon, each, then);
}

}  // namespace

std::string text_report(const RunReport& report) {
  const SamplerConfig& sampler = report.model.config.sampler;
  const std::string head =
      fmt::format("sampler    {} + {}, update on {}, seed {}\nrounds     {}\n", text_of(sampler.learner),
                  text_of(sampler.rule), text_of(sampler.update), report.model.config.seed,
                  grouped(report.model.tally(0).round)) +
      budget_text(report.model);
  const std::string control = report.control != nullptr ? report.control->text() : "";
  if (report.model.decisions != nullptr) return head + class_report(report) + control;
  const std::string body = report.model.tasks.size() == 1
                               ? single_report(report) + watched(report.model.tasks[0])
                               : table_report(report);
  return head + body + control +
         (report.final_classifier ? text_of(*report.final_classifier, report.model.tasks) : "");
}

json json_report(const RunReport& report) {
  const ModelConfig& config = report.model.config;
  json out = {
      {"sampler",
       {{"learner", text_of(config.sampler.learner)},
        {"rule", text_of(config.sampler.rule)},
        {"update", text_of(config.sampler.update)}}},
      {"seed", config.seed},
      {"version", version},
      {"skipped", report.skipped},
      {"seconds", report.seconds},
      {"examples_per_second", report.seconds > 0 ? static_cast<double>(report.rounds) / report.seconds : 0.0},
      {"multiclass", report.model.decisions != nullptr},
      {"tasks", json_by_task(report.model)},
      {"macro", json_of(totals_of(report.model))}};
  if (report.final_classifier) {
    for (std::size_t k = 0; k < report.model.tasks.size(); ++k) {
      out["tasks"][k]["final"] = json_of(*report.final_classifier, k);
    }
  }
  if (config.sampler.spending.budget.is_set()) {
    out["budget"] = {{"budget", text_of(config.sampler.spending.budget)},
                     {"horizon", config.sampler.spending.budget.horizon},
                     {"over", is_over(report.model)}};
  }
  if (report.control != nullptr) out["control"] = report.control->json();
  if (report.baseline != nullptr) {
    out["baseline"] = {{"tasks", json_by_task(*report.baseline)},
                       {"macro", json_of(totals_of(*report.baseline))}};
  }
  return out;
}

}  // namespace askfew::cli

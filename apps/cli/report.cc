#include "apps/cli/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "askfew/core/version.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

/// 63620 -> "63,620".
std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
    text += digits[k];
  }
  return text;
}

std::string percent(double part, double whole) {
  return whole == 0 ? "0%" : fmt::format("{:.2f}%", 100 * part / whole);
}

/// Sums over tasks (labels) and means over tasks (rates: the macro average).
struct Totals {
  std::uint64_t rounds = 0;
  std::uint64_t asked = 0;
  std::uint64_t updates = 0;
  std::uint64_t mistakes = 0;
  std::uint64_t spreads = 0;
  double expected_asked = 0;
  double expected_asked_at_least = 0;
  double accuracy = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

Totals totals_of(std::span<const Task> tasks) {
  Totals all;
  const auto n = static_cast<double>(tasks.size());
  for (const Task& task : tasks) {
    const Tally& tally = task.sampler->tally();
    all.rounds += tally.round;
    all.asked += tally.asked;
    all.updates += tally.updates;
    all.spreads += tally.spreads;
    all.expected_asked += tally.expected_asked;
    all.expected_asked_at_least += std::max(0.0, tally.expected_asked - tally.expected_slack);
    all.mistakes += task.confusion.mistakes();
    all.accuracy += task.confusion.accuracy() / n;
    all.precision += task.confusion.precision() / n;
    all.recall += task.confusion.recall() / n;
    all.f1 += task.confusion.f1() / n;
  }
  return all;
}

json json_of(const Totals& all) {
  return {{"rounds", all.rounds},
          {"asked", all.asked},
          {"expected_asked", all.expected_asked},
          {"expected_asked_at_least", all.expected_asked_at_least},
          {"spreads", all.spreads},
          {"mistakes", all.mistakes},
          {"updates", all.updates},
          {"precision", all.precision},
          {"recall", all.recall},
          {"f1", all.f1},
          {"accuracy", all.accuracy}};
}

json json_by_task(const std::vector<Task>& tasks) {
  json list = json::array();
  for (const Task& task : tasks) {
    json entry = json_of(totals_of({&task, 1}));
    entry["task"] = task.name;
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

std::string single_report(const RunReport& report) {
  const Totals all = totals_of(report.model.tasks);
  std::string text = "asked      " + asked_text(all) + spread_text("spread     ", all);
  text += fmt::format("mistakes   {} on all rounds, asked or not; {} updates\n", grouped(all.mistakes),
                      grouped(all.updates));
  text += fmt::format("accuracy   {:.2f}%\n", 100 * all.accuracy);
  text +=
      fmt::format("F          {:.4f} (precision {:.4f}, recall {:.4f})\n", all.f1, all.precision, all.recall);
  if (!report.baseline.empty()) {
    const Totals every = totals_of(report.baseline);
    text +=
        fmt::format("asking for everything: accuracy {:.2f}%, F {:.4f} (precision {:.4f}, recall {:.4f})\n",
                    100 * every.accuracy, every.f1, every.precision, every.recall);
  }
  return text;
}

std::string table_row(std::string_view name, std::uint64_t positives, const Totals& row,
                      const Totals* every) {
  std::string text = fmt::format("{:<20} {:>9} {:>9} {:>8} {:>8.2f}% {:>7.4f}", name.substr(0, 20),
                                 grouped(positives), grouped(row.asked),
                                 percent(static_cast<double>(row.asked), static_cast<double>(row.rounds)),
                                 100 * row.accuracy, row.f1);
  if (every != nullptr) text += fmt::format(" {:>9.2f}% {:>7.4f}", 100 * every->accuracy, every->f1);
  return text + "\n";
}

std::string table_report(const RunReport& report) {
  const std::vector<Task>& tasks = report.model.tasks;
  const bool compare = !report.baseline.empty();
  std::string text = fmt::format("{:<20} {:>9} {:>9} {:>8} {:>9} {:>7}{}\n", "task", "positives", "asked",
                                 "share", "accuracy", "F", compare ? "   all: acc.       F" : "");
  std::uint64_t positives = 0;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const Totals row = totals_of({&tasks[k], 1});
    const Totals every = compare ? totals_of({&report.baseline[k], 1}) : Totals{};
    positives += tasks[k].confusion.positives();
    text += table_row(tasks[k].name, tasks[k].confusion.positives(), row, compare ? &every : nullptr);
  }
  const Totals all = totals_of(tasks);
  const Totals every = totals_of(report.baseline);
  text += table_row("all (macro average)", positives, all, compare ? &every : nullptr);
  text += "asked " + asked_text(all) + spread_text("spread ", all);
  if (compare) {
    text += fmt::format("F {:.4f} is {} of the {:.4f} that asking for everything gives\n", all.f1,
                        percent(all.f1, every.f1), every.f1);
  }
  return text;
}

}  // namespace

std::string text_report(const RunReport& report) {
  const SamplerConfig& sampler = report.model.config.sampler;
  const std::string head =
      fmt::format("sampler    {} + {}, update on {}, seed {}\nrounds     {}\n", text_of(sampler.learner),
                  text_of(sampler.rule), text_of(sampler.update), report.model.config.seed,
                  grouped(report.model.tasks.front().sampler->tally().round));
  return head + (report.model.tasks.size() == 1 ? single_report(report) : table_report(report));
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
      {"tasks", json_by_task(report.model.tasks)},
      {"macro", json_of(totals_of(report.model.tasks))}};
  if (!report.baseline.empty()) {
    out["baseline"] = {{"tasks", json_by_task(report.baseline)},
                       {"macro", json_of(totals_of(report.baseline))}};
  }
  return out;
}

}  // namespace askfew::cli

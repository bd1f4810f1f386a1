#include "askfew/workflows/evaluate.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "askfew/config/printable.h"
#include "askfew/core/version.h"
#include "askfew/reports/page.h"
#include "askfew/system/file_places.h"
#include "askfew/workflows/input_files.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/help_groups.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/numbers.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

struct EvaluateCommand {
  EvaluateOptions options;
  std::string json_path;
  std::string html;

  int operator()() const;
};

std::string percent(const Measured& figure) {
  return fmt::format("{:6.2f}%  [{:.2f}%, {:.2f}%]", 100 * figure.value, 100 * figure.low, 100 * figure.high);
}

std::string number(const Measured& figure) {
  return fmt::format("{:.4f}  [{:.4f}, {:.4f}]", figure.value, figure.low, figure.high);
}

std::string single_text(const EvaluateResult& result) {
  const TaskQuality& task = result.tasks[0];
  const Measured error{
      .value = 1 - task.accuracy.value, .low = 1 - task.accuracy.high, .high = 1 - task.accuracy.low};
  std::string text = fmt::format("accuracy   {}\nerror      {}\n", percent(task.accuracy), percent(error));
  text += fmt::format("precision  {}\nrecall     {}\nF          {}\n", number(task.precision),
                      number(task.recall), number(task.f1));
  if (!result.curve.empty()) text += fmt::format("average precision {}\n", number(result.average_precision));
  const std::string positive = printable(result.positive);
  const std::string negative = printable(result.negative);
  const Confusion& counts = task.confusion;
  text += fmt::format("\n{:<24} {:>12} {:>12}\n", "", "predicted", "");
  text += fmt::format("{:<24} {:>12} {:>12}\n", "true label", positive.substr(0, 12), negative.substr(0, 12));
  text += fmt::format("{:<24} {:>12} {:>12}\n", positive.substr(0, 24), grouped(counts.true_positives),
                      grouped(counts.false_negatives));
  text += fmt::format("{:<24} {:>12} {:>12}\n", negative.substr(0, 24), grouped(counts.false_positives),
                      grouped(counts.true_negatives));
  if (result.curve.empty()) return text;
  text += fmt::format("\n{:>8} {:>10}  {:<16} {:>12}\n", "recall", "precision", "", "margin from");
  for (const OperatingPoint& point : result.curve) {
    text += fmt::format("{:>8.2f} {:>10.4f}  [{:.4f}, {:.4f}] {:>12.4g}\n", point.recall.value,
                        point.precision.value, point.precision.low, point.precision.high, point.threshold);
  }
  return text;
}

/// What a probability is about.
std::string event_of(const EvaluateResult& result) {
  if (result.multiclass) return "the predicted class is right";
  return result.tasks.size() > 1 ? "a label is right" : fmt::format("the label is {}", result.positive);
}

std::string reliability_text(const EvaluateResult& result) {
  if (!result.reliability) return "";
  const Reliability& found = *result.reliability;
  std::string text = fmt::format("\nprobabilities that {}\n", printable(event_of(result)));
  text += fmt::format("Brier score        {}\nlog loss           {}\ncalibration error  {:.4f}\n",
                      number(found.brier), number(found.log_loss), found.calibration_error);
  text += fmt::format("{:>12} {:>10} {:>10} {:>10}\n", "probability", "examples", "predicted", "observed");
  for (const ReliabilityBin& bin : found.bins) {
    text += fmt::format("{:>5.1f} to {:.1f} {:>11} {:>10.4f} {:>10.4f}  [{:.4f}, {:.4f}]\n", bin.from, bin.to,
                        grouped(bin.count), bin.predicted, bin.observed.value, bin.observed.low,
                        bin.observed.high);
  }
  return text;
}

Figure reliability_figure(const EvaluateResult& result) {
  Series observed{.title = "observed, with 95% intervals"};
  for (const ReliabilityBin& bin : result.reliability->bins) {
    observed.x.push_back(bin.predicted);
    observed.y.push_back(bin.observed.value);
    observed.low.push_back(bin.observed.low);
    observed.high.push_back(bin.observed.high);
  }
  return {
      .title = fmt::format("Probabilities that {}", event_of(result)),
      .x = {.title = "predicted probability", .low = 0, .high = 1},
      .y = {.title = "observed share", .low = 0, .high = 1},
      .series = {observed, {.title = "perfect", .x = {0, 1}, .y = {0, 1}, .style = Series::Style::lines}}};
}

Figure precision_figure(const EvaluateResult& result) {
  Series series{.title = "precision, with 95% intervals"};
  for (const OperatingPoint& point : result.curve) {
    series.x.push_back(point.recall.value);
    series.y.push_back(point.precision.value);
    series.low.push_back(point.precision.low);
    series.high.push_back(point.precision.high);
  }
  return {.title = fmt::format("Precision against recall of {}", result.positive),
          .x = {.title = "recall", .low = 0, .high = 1},
          .y = {.title = "precision", .low = 0, .high = 1},
          .series = {series}};
}

Table quality_table(const EvaluateResult& result) {
  Table table{
      .caption = "figures with their 95% intervals",
      .columns = {result.multiclass ? "class" : "task", "positives", "accuracy", "precision", "recall", "F"}};
  for (const TaskQuality& task : result.tasks) {
    table.rows.push_back({task.name, grouped(task.confusion.positives()), percent(task.accuracy),
                          number(task.precision), number(task.recall), number(task.f1)});
  }
  return table;
}

std::string page_of(const EvaluateResult& result, const EvaluateOptions& options) {
  Page page(fmt::format("{} on {}", options.model, options.data.paths[0]));
  page.paragraph(fmt::format("{} examples with labels; nothing was learned.", grouped(result.examples)));
  for (const std::string& note : result.notes) page.paragraph(note);
  page.table(quality_table(result));
  if (!result.curve.empty()) {
    page.heading("Precision and recall");
    page.figure(precision_figure(result),
                fmt::format("Precision if all margins above a threshold are positive. Average precision {}.",
                            number(result.average_precision)));
  }
  if (result.reliability) {
    const Reliability& found = *result.reliability;
    page.heading("Calibration");
    page.figure(reliability_figure(result),
                fmt::format("Predictions by tenths of their probability. Brier score {}, log loss {}, mean "
                            "difference {:.4f}.",
                            number(found.brier), number(found.log_loss), found.calibration_error));
    Table bins{.caption = "predictions by their probability",
               .columns = {"probability", "examples", "predicted", "observed, 95% interval"}};
    for (const ReliabilityBin& bin : found.bins) {
      bins.rows.push_back({fmt::format("{:.1f} to {:.1f}", bin.from, bin.to), grouped(bin.count),
                           fmt::format("{:.4f}", bin.predicted), number(bin.observed)});
    }
    page.table(bins);
  }
  page.facts({{"model", options.model}, {"data", options.data.paths}, {"version", version}});
  return page.html();
}

std::string table_text(const EvaluateResult& result) {
  std::string text = result.multiclass ? fmt::format("accuracy   {}\n", percent(result.accuracy)) : "";
  text += fmt::format("{:<20} {:>9} {:>9} {:>9} {:>7}  95% interval of F\n",
                      result.multiclass ? "class" : "task", "positives", "precision", "recall", "F");
  for (const TaskQuality& task : result.tasks) {
    text += fmt::format("{:<20} {:>9} {:>9.4f} {:>9.4f} {:>7.4f}  [{:.4f}, {:.4f}]\n", printable(task.name),
                        grouped(task.confusion.positives()), task.precision.value, task.recall.value,
                        task.f1.value, task.f1.low, task.f1.high);
  }
  if (!result.multiclass || result.tasks.size() > 8) return text;
  text += "\ntrue \\ predicted    ";
  for (const TaskQuality& task : result.tasks)
    text += fmt::format(" {:>8}", printable(task.name).substr(0, 8));
  text += '\n';
  for (std::size_t k = 0; k < result.tasks.size(); ++k) {
    text += fmt::format("{:<20}", printable(result.tasks[k].name));
    for (const std::uint64_t count : result.class_counts[k]) text += fmt::format(" {:>8}", grouped(count));
    text += '\n';
  }
  return text;
}

int EvaluateCommand::operator()() const {
  EvaluateHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  std::vector<FilePlace> inputs = input_files(options.data);
  inputs.push_back({.role = "MODEL", .path = options.model});
  Outputs outputs({{"--json", json_path}, {"--html", html}}, inputs);
  const EvaluateResult result = evaluate(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  print_notes(result.notes);
  if (std::ostream* out = outputs.of("--json")) *out << json_of(result) << '\n';
  if (std::ostream* out = outputs.of("--html")) *out << page_of(result, options);
  outputs.commit();
  if (outputs.take_standard_output()) return ok;
  std::cout << fmt::format("examples   {}; 95% intervals in brackets\n", grouped(result.examples))
            << (result.tasks.size() == 1 ? single_text(result) : table_text(result))
            << reliability_text(result);
  return ok;
}

}  // namespace

void add_evaluate(Command& program, Ending& ending) {
  auto evaluate = std::make_shared<EvaluateCommand>();
  Command* command = program.add_subcommand(
      "evaluate", "Compare a model's predictions with the labels of data; nothing is learned.");
  command
      ->add_option("MODEL", evaluate->options.model, "model written by askfew run, label, stream or replay")
      ->required()
      ->check(a_name);
  add_data_flags(*command, evaluate->options.data);
  add_cache_flag(*command, evaluate->options.data);
  command->add_option("--json", evaluate->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->add_option("--html", evaluate->html, "write a report here, one page with figures")->check(a_name);
  group_help(*command);
  command->callback([evaluate, &ending] { ending.code = (*evaluate)(); });
}

}  // namespace askfew::cli

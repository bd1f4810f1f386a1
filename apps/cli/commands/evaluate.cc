#include "askfew/workflows/evaluate.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <string>

#include "askfew/config/printable.h"
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
  if (!result.curve.empty()) text += fmt::format("average precision {:.4f}\n", result.average_precision);
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
  text += fmt::format("\n{:>8} {:>10} {:>12}\n", "recall", "precision", "margin from");
  for (const OperatingPoint& point : result.curve) {
    text += fmt::format("{:>8.2f} {:>10.4f} {:>12.4g}\n", point.recall, point.precision, point.threshold);
  }
  return text;
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
  Outputs outputs({{"--json", json_path}}, inputs);
  const EvaluateResult result = evaluate(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  print_notes(result.notes);
  if (std::ostream* out = outputs.of("--json")) *out << json_of(result) << '\n';
  outputs.commit();
  if (outputs.take_standard_output()) return ok;
  std::cout << fmt::format("examples   {}; 95% intervals in brackets\n", grouped(result.examples))
            << (result.tasks.size() == 1 ? single_text(result) : table_text(result));
  return ok;
}

}  // namespace

void add_evaluate(Command& program, Ending& ending) {
  auto evaluate = std::make_shared<EvaluateCommand>();
  Command* command = program.add_subcommand(
      "evaluate", "Compare a model's predictions with the labels of data; nothing is learned.");
  command->add_option("MODEL", evaluate->options.model, "model written by askfew run, label or stream")
      ->required()
      ->check(a_name);
  add_data_flags(*command, evaluate->options.data);
  add_cache_flag(*command, evaluate->options.data);
  command->add_option("--json", evaluate->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  group_help(*command);
  command->callback([evaluate, &ending] { ending.code = (*evaluate)(); });
}

}  // namespace askfew::cli

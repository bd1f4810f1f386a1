#include "askfew/workflows/predict.h"

#include <iostream>
#include <memory>
#include <string>

#include "askfew/config/printable.h"
#include "askfew/config/text.h"
#include "askfew/system/atomic_file.h"
#include "askfew/system/file_places.h"
#include "askfew/workflows/input_files.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/help_groups.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

struct PredictCommand {
  PredictOptions options;
  std::string output = "-";

  int operator()() const;
};

/// One task: the prediction and the margin; of classes, the class and by how much it is ahead. Several tasks:
/// the labels predicted, most certain first.
void append_line(const Model& model, const Prediction& prediction, std::string& out) {
  const LabelPlan::Kind kind = model.config.labels.kind;
  const bool are_names = kind == LabelPlan::Kind::one_of || kind == LabelPlan::Kind::one_per_label;
  const std::size_t size = prediction.labels.size();
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t label = prediction.labels[k];
    if (k > 0) out += ',';
    if (are_names) {
      out += printable(model.tasks[label].name, ",");
    } else {
      out += label == 1 ? "+1" : "-1";
    }
  }
  out += '\t';
  for (std::size_t k = 0; k < size; ++k) {
    if (k > 0) out += ',';
    append_exact(prediction.margins[k], out);
  }
  out += '\n';
}

int PredictCommand::operator()() const {
  PredictHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  std::vector<FilePlace> inputs = input_files(options.data);
  inputs.push_back({.role = "MODEL", .path = options.model});
  check_apart(inputs, std::vector<FilePlace>{{"--output", output}});
  AtomicFile out(output, &std::cout, hooks.stop);
  std::string line;
  hooks.predicted = [&](const Model& model, const Prediction& prediction) {
    line.clear();
    append_line(model, prediction, line);
    out.stream() << line;
  };
  hooks.caught_up = [&] { return static_cast<bool>(out.stream().flush()); };
  if (predict(options, hooks).stopped) return interrupted_exit_code();
  out.commit();
  return ok;
}

}  // namespace

void add_predict(Command& program, Ending& ending) {
  auto predict = std::make_shared<PredictCommand>();
  Command* command = program.add_subcommand(
      "predict",
      "Predict with a model: a line an instance, prediction and margin; the data's labels are not used.");
  command->add_option("MODEL", predict->options.model, "model written by askfew run --model")
      ->required()
      ->check(a_name);
  add_data_flags(*command, predict->options.data);
  add_cache_flag(*command, predict->options.data);
  command->add_option("-o,--output", predict->output, "write here instead of standard output")->check(a_name);
  group_help(*command);
  command->callback([predict, &ending] { ending.code = (*predict)(); });
}

}  // namespace askfew::cli

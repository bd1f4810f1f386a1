#include "askfew/workflows/predict.h"

#include <iostream>
#include <memory>
#include <string>

#include "askfew/config/csv_field.h"
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
  std::string output_format = "plain";

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

/// The names of the labels predicted, of any kind of model.
std::vector<std::string> names_of(const Model& model, const Prediction& prediction) {
  const LabelPlan& plan = model.config.labels;
  const bool are_names = plan.kind == LabelPlan::Kind::one_of || plan.kind == LabelPlan::Kind::one_per_label;
  std::vector<std::string> names;
  for (const std::size_t label : prediction.labels) {
    names.push_back(are_names ? model.tasks[label].name : plan.name_of(label == 1));
  }
  return names;
}

std::string id_of(const Prediction& prediction) {
  return prediction.id.empty() ? std::to_string(prediction.number) : std::string(prediction.id);
}

void append_csv(const Model& model, const Prediction& prediction, std::string& out) {
  std::string names;
  for (const std::string& name : names_of(model, prediction)) (names += names.empty() ? "" : ",") += name;
  (out += csv_field(id_of(prediction))) += ',';
  (out += csv_field(names)) += ',';
  std::string margins;
  for (std::size_t k = 0; k < prediction.margins.size(); ++k) {
    if (k > 0) margins += ',';
    append_exact(prediction.margins[k], margins);
  }
  (out += csv_field(margins)) += ',';
  std::string probabilities;
  for (std::size_t k = 0; k < prediction.probabilities.size(); ++k) {
    if (k > 0) probabilities += ',';
    if (prediction.probabilities[k]) append_exact(*prediction.probabilities[k], probabilities);
  }
  (out += csv_field(probabilities)) += '\n';
}

void append_json(const Model& model, const Prediction& prediction, std::string& out) {
  out += "{\"id\":";
  append_json_string(id_of(prediction), out);
  const bool is_list = model.config.labels.kind == LabelPlan::Kind::one_per_label;
  const std::vector<std::string> names = names_of(model, prediction);
  out += is_list ? ",\"labels\":[" : ",\"label\":";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) out += ',';
    append_json_string(names[k], out);
  }
  out += is_list ? "],\"margins\":[" : ",\"margin\":";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) out += ',';
    append_exact(prediction.margins[k], out);
  }
  out += is_list ? "],\"probabilities\":[" : ",\"probability\":";
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) out += ',';
    if (prediction.probabilities[k]) {
      append_exact(*prediction.probabilities[k], out);
    } else {
      out += "null";
    }
  }
  out += is_list ? "]}\n" : "}\n";
}

int PredictCommand::operator()() const {
  PredictHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  std::vector<FilePlace> inputs = input_files(options.data);
  inputs.push_back({.role = "MODEL", .path = options.model});
  check_apart(inputs, std::vector<FilePlace>{{"--output", output}});
  AtomicFile out(output, &std::cout, hooks.stop);
  std::string line;
  if (output_format == "csv") out.stream() << "id,label,margin,probability\n";
  hooks.predicted = [&](const Model& model, const Prediction& prediction) {
    line.clear();
    if (output_format == "csv") {
      append_csv(model, prediction, line);
    } else if (output_format == "jsonl") {
      append_json(model, prediction, line);
    } else {
      append_line(model, prediction, line);
    }
    out.stream() << line;
  };
  hooks.caught_up = [&] { return static_cast<bool>(out.stream().flush()); };
  const PredictResult result = predict(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  out.commit();
  print_notes(result.notes);
  if (output_format != "plain" && !result.no_probabilities.empty()) print_notes({result.no_probabilities});
  return ok;
}

}  // namespace

void add_predict(Command& program, Ending& ending) {
  auto predict = std::make_shared<PredictCommand>();
  Command* command = program.add_subcommand("predict",
                                            "Predict with a model: one line per instance, with prediction "
                                            "and margin. Labels in the data are not used.");
  command->add_option("MODEL", predict->options.model, "model written by askfew run, label, stream or replay")
      ->required()
      ->check(a_name);
  add_data_flags(*command, predict->options.data, NeedsLabels::no);
  add_cache_flag(*command, predict->options.data);
  command->add_option("-o,--output", predict->output, "write here instead of standard output")->check(a_name);
  command
      ->add_option("--output-format", predict->output_format,
                   "plain: prediction and margin; csv or jsonl: with ids, names of labels and probabilities")
      ->one_of({"plain", "csv", "jsonl"})
      ->capture_default_str();
  group_help(*command);
  command->callback([predict, &ending] { ending.code = (*predict)(); });
}

}  // namespace askfew::cli

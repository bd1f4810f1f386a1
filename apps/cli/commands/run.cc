#include "askfew/workflows/run.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <optional>

#include "askfew/core/errors.h"
#include "askfew/core/tally.h"
#include "askfew/models/model_file.h"
#include "askfew/models/trace.h"
#include "askfew/system/file_places.h"
#include "askfew/workflows/input_files.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/help_groups.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/progress.h"
#include "apps/cli/reports/run_report.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

struct RunCommand {
  RunOptions options;
  std::string json_path;
  std::string trace_path;
  bool quiet = false;

  int operator()(std::string& remains) const;
};

/// The options of a new model are not for one that is resumed. THROWS: ConfigError.
void check_resume(const RunOptions& options, const Flags& of_fresh) {
  for (const Option* option : of_fresh) {
    if (options.resume.empty() || option->count() == 0) continue;
    throw ConfigError(option->get_name() + " cannot be given with --resume: the model has it already");
  }
}

/// Writes every decision.
void set_tracer(std::ostream& out, RunHooks& hooks) {
  auto id = std::make_shared<std::string>();
  hooks.trace_id = [id](std::string_view next) { *id = next; };
  hooks.trace = [&out, id, writer = std::make_shared<std::optional<TraceWriter>>()](
                    const Model& model, std::size_t task, const Round& round) {
    if (!*writer) {
      writer->emplace(out, model.has_classes() ? model.config.labels.names : std::vector<std::string>{},
                      model.config.sampler.spending.audit > 0, !id->empty());
    }
    (*writer)->write(task, round, *id);
  };
}

int RunCommand::operator()(std::string& remains) const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  std::vector<FilePlace> inputs = input_files(options.data, options.model.reading);
  inputs.push_back({.role = "--seed-labels", .path = options.model.seed_labels});
  inputs.push_back({.role = "--resume", .path = options.resume, .replaced_by = "--model"});
  Outputs outputs({{"--trace", trace_path}, {"--json", json_path}, {"--model", options.model_path}}, inputs);
  Progress progress;
  RunHooks hooks;
  set_terminal_hooks(interrupted, hooks);
  hooks.skipped = [&](const Skipped& skipped) {
    progress.finish();
    std::cerr << text_of(skipped);
  };
  if (!quiet) {
    hooks.progress = [&](const RunProgress& run) { progress(run); };
    hooks.note = [](const std::string& fact) { print_notes({fact}); };
  }
  hooks.saved = [&](const SavedModel& model) {
    remains = fmt::format("the model of round {} is in {}", model.round, model.path);
  };
  if (std::ostream* out = outputs.of("--trace")) set_tracer(*out, hooks);
  const RunResult result = run(options, hooks);
  progress.finish();
  if (result.rounds == 0) return interrupted_exit_code();
  print_notes(result.notes);

  if (std::ostream* out = outputs.of("--json")) *out << json_of(result) << '\n';
  if (std::ostream* out = outputs.of("--model")) write_model(snapshot_of(result.model), *out);
  outputs.commit();
  remains.clear();
  // Standard output may be taken by a program that reads the JSON, the trace or the model.
  if (!outputs.take_standard_output()) {
    std::cout << text_of(result);
  } else if (!quiet) {
    std::cerr << text_of(result);
  }
  return result.stopped ? interrupted_exit_code() : ok;
}

void add_final_flags(Command& command, RunOptions& options) {
  command
      .add_option("--final", options.final_classifier,
                  "which of the run's classifiers is the model, with a bound on its risk: last, average, "
                  "penalized")
      ->one_of({"last", "average", "penalized"})
      ->type_name("CHOICE");
  command.add_option("--delta", options.delta, "of --final: the bound holds with probability 1 - delta")
      ->unshown_range(1e-12, 0.999)
      ->needs("--final")
      ->capture_default_str();
}

}  // namespace

void add_run(Command& program, Ending& ending) {
  auto run = std::make_shared<RunCommand>();
  RunOptions& options = run->options;
  Command* command = program.add_subcommand(
      "run", "Run a sampler over labelled data. The sampler sees only the labels that it asks for.");
  add_data_flags(*command, options.data);
  add_cache_flag(*command, options.data);
  Flags fresh = add_model_flags(*command, options.model);
  fresh.push_back(add_ask_flag(*command, options.model.ask));
  fresh.push_back(add_seed_labels_flag(*command, options.model.seed_labels));
  command
      ->add_option("--resume", options.resume, "continue from this model, with its sampler, seed and labels")
      ->check(a_name);
  command->add_option("--model", options.model_path, "write the model here; - is standard output")
      ->check(a_name);
  command
      ->add_option("--save-every", options.save_every,
                   "with --model: also write the model after every so many rounds")
      ->unshown_range(1, max_rounds)
      ->type_name("ROUNDS");
  command->add_option("--json", run->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->add_option("--trace", run->trace_path, "write every decision here as CSV; - is standard output")
      ->check(a_name);
  add_final_flags(*command, options);
  command->add_flag("--baseline", options.baseline,
                    "for comparison, also run the same learner asking for every label");
  command->add_flag("--control", options.control,
                    "for comparison, also run the same learner with the same budget, asking at random");
  command->add_flag("--quiet", run->quiet, "no progress");
  group_help(*command);
  command->footer(
      "Examples:\n"
      "  askfew run mails.csv --positive spam --budget 200 --control\n"
      "  askfew run news.jsonl --labels all --budget 5% --model news.model\n"
      "  zcat data.svm.gz | askfew run - --sampler sel-p:b=0.1 --baseline\n"
      "askfew run --help-all also shows the options of rare formats and of text features.");
  command->callback([run, fresh, &ending] {
    check_resume(run->options, fresh);
    check(run->options);
    ending.code = (*run)(ending.remains);
  });
}

}  // namespace askfew::cli

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>

#include "askfew/models/model_file.h"
#include "askfew/system/memory_limit.h"

#include "apps/cli/checkpoints.h"
#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/final_option.h"
#include "apps/cli/options/memory.h"
#include "apps/cli/options/options.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/control.h"
#include "apps/cli/reports/estimate_report.h"
#include "apps/cli/reports/progress.h"
#include "apps/cli/reports/report.h"

namespace askfew::cli {
namespace {

struct RunCommand {
  DataOptions data;
  ModelOptions fresh;
  std::string resume;
  std::string model_path;
  std::string json_path;
  std::string trace_path;
  FinalOption final_classifier;
  std::uint64_t save_every = 0;  ///< 0: only at the end
  bool baseline = false;
  bool control = false;
  bool quiet = false;

  /// The options of a new model are not for one that is resumed. THROWS: ConfigError.
  void check(const std::vector<CLI::Option*>& of_fresh) const;
  int operator()(std::string& remains) const;

 private:
  [[nodiscard]] Model make_model(const SharedLimit& memory, const std::atomic<bool>& interrupted) const;
  [[nodiscard]] Model make_baseline(const ModelConfig& config, const SharedLimit& memory) const;
};

void RunCommand::check(const std::vector<CLI::Option*>& of_fresh) const {
  for (const CLI::Option* option : of_fresh) {
    if (resume.empty() || option->count() == 0) continue;
    throw ConfigError(option->get_name() + " cannot be given with --resume: the model has it already");
  }
  if (baseline && !resume.empty()) {
    throw ConfigError("--baseline cannot be given with --resume: it would start later than the model");
  }
  if (control && !resume.empty()) {
    throw ConfigError("--control cannot be given with --resume: it would start later than the model");
  }
  if (final_classifier.choice && !resume.empty()) {
    throw ConfigError("--final cannot be given with --resume: it would not know the hypotheses before");
  }
  if (save_every > 0 && (model_path.empty() || model_path == "-" || is_device(model_path))) {
    throw ConfigError("--save-every needs a file that can be replaced: name it with --model");
  }
}

Model RunCommand::make_model(const SharedLimit& memory, const std::atomic<bool>& interrupted) const {
  const Exactness exactness = trace_path.empty() ? Exactness::lazy : Exactness::exact;
  const Usage usage{.exactness = exactness, .memory = memory, .threads = data.threads};
  return resume.empty() ? askfew::make_model(fresh.config(data, &interrupted), usage)
                        : load_model(resume, usage);
}

Model RunCommand::make_baseline(const ModelConfig& config, const SharedLimit& memory) const {
  ModelConfig everything = config;
  everything.sampler.rule = parse_rule("always");
  everything.sampler.spending = {};
  return askfew::make_model(everything, {.memory = memory, .threads = data.threads});
}

int RunCommand::operator()(std::string& remains) const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  std::vector<FilePlace> inputs = fresh.inputs(data);
  inputs.push_back({.role = "--resume", .path = resume, .replaced_by = "--model"});
  Outputs outputs({{"--trace", trace_path}, {"--json", json_path}, {"--model", model_path}}, inputs);

  const SharedLimit& memory = data.memory();
  Model model = make_model(memory, interrupted);
  std::optional<Model> twin;
  if (baseline) twin = make_baseline(model.config, memory);
  std::optional<Control> at_random;
  if (control) at_random.emplace(model.config, Usage{.memory = memory, .threads = data.threads});

  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(model.config, skipped, &interrupted);
  if (stream->table() != nullptr) model.config.schema = *stream->table();  // of a pipe it is known only now
  Progress progress(model);
  ChangeLines changes(model.tasks);
  std::optional<Checkpoints> checkpoints;
  if (save_every > 0) {
    checkpoints.emplace(model_path, save_every, model, remains);
  }
  std::optional<FinalMonitor> watch;
  if (final_classifier.choice) watch.emplace(*final_classifier.choice, final_classifier.delta, model, memory);
  std::optional<TraceWriter> trace;
  RunOptions options{.features = &model.features,
                     .unit_norm = learner_info(model.config.sampler.learner).unit_norm,
                     .timed = model.config.sampler.spending.budget.kind == LabelBudget::Kind::period,
                     .threads = data.threads,
                     .pause = save_every,
                     .stop = &interrupted};
  if (twin) options.beside.push_back(twin->task_set());
  if (at_random) options.beside.push_back(at_random->task_set());
  options.progress = [&](std::uint64_t rounds) {
    if (at_random) at_random->note(model);
    if (!quiet) {
      progress(rounds);
      if (const std::string lines = changes.next(); !lines.empty()) {
        progress.clear();
        std::cerr << lines;
      }
    }
    if (checkpoints) (*checkpoints)(rounds);
  };
  if (std::ostream* out = outputs.of("--trace")) {
    trace.emplace(*out, model.decisions != nullptr ? model.config.labels.names : std::vector<std::string>{});
    options.trace = [&](const TraceRow& row) { trace->write(row); };
  }
  if (watch) options.observe = [&](std::size_t task, const Round& round) { watch->observe(task, round); };
  const auto begin = std::chrono::steady_clock::now();
  const auto rounds = askfew::run(*stream, model.config.labels.labelling(*stream), model.task_set(), options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  progress.finish();
  std::cerr << text_of(*skipped);
  if (!rounds) throw DataError(rounds.error());
  if (*rounds == 0) {
    if (interrupted) return interrupted_exit_code();
    throw DataError({.why = "no example in it", .file = data.name()});
  }
  for (const std::string& note : stream->notes()) std::cerr << "note: " << note << '\n';

  const RunReport report{.model = model,
                         .baseline = twin ? &*twin : nullptr,
                         .control = at_random ? &*at_random : nullptr,
                         .final_classifier = watch ? std::optional(watch->finish()) : std::nullopt,
                         .seconds = elapsed.count(),
                         .rounds = *rounds,
                         .skipped = skipped->count};
  if (std::ostream* out = outputs.of("--json")) *out << json_report(report).dump(2) << '\n';
  if (std::ostream* out = outputs.of("--model")) write_model(snapshot_of(model), *out);
  outputs.commit();
  remains.clear();
  // Standard output may be taken by a program that reads the JSON, the trace or the model.
  if (!outputs.take_standard_output()) {
    std::cout << text_report(report);
  } else if (!quiet) {
    std::cerr << text_report(report);
  }
  return interrupted ? interrupted_exit_code() : ok;
}

}  // namespace

void add_run(CLI::App& program, Ending& ending) {
  auto run = std::make_shared<RunCommand>();
  CLI::App* command = program.add_subcommand(
      "run", "Run a sampler over a labelled stream; labels are revealed only where it asks for them.");
  run->data.add_to(*command);
  run->data.add_cache_to(*command);
  const std::vector<CLI::Option*> fresh = run->fresh.add_to(*command);
  command->add_option("--resume", run->resume, "go on from this model, with its sampler, seed and labels")
      ->check(a_name);
  command->add_option("--model", run->model_path, "write the model here; - is standard output")
      ->check(a_name);
  command->add_option("--save-every", run->save_every, "also write it whenever this many rounds are done")
      ->transform(CLI::Validator(decimal, ""))
      ->check(CLI::Range(std::uint64_t{1}, max_rounds).description(""))
      ->type_name("ROUNDS");
  command->add_option("--json", run->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->add_option("--trace", run->trace_path, "write every decision here as CSV; - is standard output")
      ->check(a_name);
  run->final_classifier.add_to(*command);
  command->add_flag("--baseline", run->baseline, "run the same learner beside it, asking for every label");
  command->add_flag("--control", run->control,
                    "run the same learner beside it with the same budget, asking at random");
  command->add_flag("--quiet", run->quiet, "no progress");
  command->callback([run, fresh, &ending] {
    run->check(fresh);
    ending.code = (*run)(ending.remains);
  });
}

}  // namespace askfew::cli

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "askfew/protocol/model_file.h"

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/outputs.h"
#include "apps/cli/progress.h"
#include "apps/cli/report.h"

namespace askfew::cli {
namespace {

struct RunCommand {
  DataOptions data;
  ModelOptions fresh;
  std::string resume;
  std::string model_path;
  std::string json_path;
  std::string trace_path;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool baseline = false;
  bool quiet = false;

  int operator()() const;

 private:
  [[nodiscard]] Model make_model() const;
  [[nodiscard]] std::vector<Task> make_baseline(const ModelConfig& config) const;
};

Model RunCommand::make_model() const {
  const Exactness exactness = trace_path.empty() ? Exactness::lazy : Exactness::exact;
  if (!resume.empty()) return load_model(resume, exactness);
  Model model{.config = fresh.config(data), .tasks = {}};
  model.tasks = make_tasks(model.config, exactness);
  return model;
}

std::vector<Task> RunCommand::make_baseline(const ModelConfig& config) const {
  if (!baseline) return {};
  ModelConfig everything = config;
  everything.sampler.rule = parse_rule("always");
  return make_tasks(everything);
}

int RunCommand::operator()() const {
  const std::atomic<bool>& interrupted = watch_for_interrupts();
  Outputs outputs({{"--trace", trace_path}, {"--json", json_path}, {"--model", model_path}});

  Model model = make_model();
  const std::size_t labels = model.tasks.size();
  std::vector<Task> tasks = std::move(model.tasks);
  for (Task& twin : make_baseline(model.config)) tasks.push_back(std::move(twin));

  const auto stream = data.open(model.config);
  Progress progress(tasks, labels);
  std::optional<TraceWriter> trace;
  RunOptions options{.normalize = model.config.normalize,
                     .unit_norm = learner_info(model.config.sampler.learner).unit_norm,
                     .threads = threads,
                     .stop = &interrupted};
  if (!quiet) options.progress = [&](std::uint64_t rounds) { progress(rounds); };
  if (std::ostream* out = outputs.of("--trace")) {
    trace.emplace(*out);
    options.trace = [&](const TraceRow& row) {
      if (row.task < labels) trace->write(row);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto rounds = askfew::run(*stream, model.config.labels.labelling(*stream), tasks, options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!quiet) progress.finish();
  if (!rounds) throw DataError(data.path, rounds.error());
  if (*rounds == 0) {
    if (interrupted) return interrupted_exit_code();
    throw DataError(data.path, {.why = "no example in it"});
  }

  std::vector<Task> twins;
  for (std::size_t k = labels; k < tasks.size(); ++k) twins.push_back(std::move(tasks[k]));
  tasks.resize(labels);
  model.tasks = std::move(tasks);
  const RunReport report{.model = model, .baseline = twins, .seconds = elapsed.count(), .rounds = *rounds};
  if (std::ostream* out = outputs.of("--json")) *out << json_report(report).dump(2) << '\n';
  if (std::ostream* out = outputs.of("--model")) *out << encode_model(snapshot_of(model));
  outputs.commit();
  // Standard output may be taken by a program that reads the JSON, the trace or the model.
  if (!outputs.take_standard_output()) {
    std::cout << text_report(report);
  } else if (!quiet) {
    std::cerr << text_report(report);
  }
  return interrupted ? interrupted_exit_code() : ok;
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  auto run = std::make_shared<RunCommand>();
  CLI::App* command = program.add_subcommand(
      "run", "Run a sampler over a labelled stream; labels are revealed only where it asks for them.");
  run->data.add_to(*command);
  const std::vector<CLI::Option*> fresh = run->fresh.add_to(*command);
  command->add_option("--resume", run->resume, "go on from this model, with its sampler, seed and labels")
      ->check(a_name);
  command->add_option("--model", run->model_path, "write the model here; - is standard output")
      ->check(a_name);
  command->add_option("--json", run->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->add_option("--trace", run->trace_path, "write every decision here as CSV; - is standard output")
      ->check(a_name);
  command
      ->add_option("--threads", run->threads, "threads to share the tasks out over; the results are the same")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  command->add_flag("--baseline", run->baseline, "run the same learner beside it, asking for every label");
  command->add_flag("--quiet", run->quiet, "no progress");
  command->callback([run, fresh, &exit_code] {
    for (const CLI::Option* option : fresh) {
      if (run->resume.empty() || option->count() == 0) continue;
      throw ConfigError(option->get_name() + " cannot be given with --resume: the model has it already");
    }
    if (run->baseline && !run->resume.empty()) {
      throw ConfigError("--baseline cannot be given with --resume: it would start later than the model");
    }
    exit_code = (*run)();
  });
}

}  // namespace askfew::cli

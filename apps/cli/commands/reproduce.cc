#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/core/version.h"
#include "askfew/json/json_text.h"
#include "askfew/system/atomic_file.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/program_digest.h"
#include "apps/cli/reports/jobs_progress.h"
#include "papers/experiment.h"

namespace askfew::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceCommand {
  std::string paper;
  std::string data = "data";
  std::string output = "reproduced";
  std::uint64_t seed = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  bool quick = false;
  bool afresh = false;
  bool quiet = false;
  bool list_jobs = false;
  std::string only;

  int operator()() const;

 private:
  void reproduce(const Experiment& experiment, const std::atomic<bool>& interrupted) const;
  /// Runs no job, or those of `only`, and writes no report.
  [[nodiscard]] bool is_part() const { return list_jobs || !only.empty(); }
};

std::vector<const Experiment*> chosen(const std::string& paper) {
  std::vector<const Experiment*> all;
  std::string names = "all";
  for (const Experiment& experiment : all_experiments()) {
    if (paper == "all" || paper == experiment.name) all.push_back(&experiment);
    names += fmt::format(", {}", experiment.name);
  }
  if (all.empty()) throw ConfigError(fmt::format("no experiment {}, known: {}", in_quotes(paper), names));
  return all;
}

std::set<std::string> read_keys(const std::string& path) {
  std::set<std::string> keys;
  if (path.empty()) return keys;
  std::ifstream file(path);
  if (!file) throw FileError(path + ": cannot be read");
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const nlohmann::json job = try_parse_json(line);
    if (!job.is_object() || !job.contains("key") || !job["key"].is_string()) {
      throw DataError({.line = number, .column = 1, .why = "not a job of --list-jobs", .file = path});
    }
    keys.insert(job["key"].get<std::string>());
  }
  return keys;
}

void print_jobs(const std::vector<JobLeft>& jobs) {
  for (const JobLeft& job : jobs) {
    std::cout << json_text(nlohmann::json{{"key", job.key}, {"cost", job.cost}}) << '\n';
  }
  std::cout << std::flush;
}

void write_file(const fs::path& path, const std::string& content) {
  AtomicFile file(path.string());
  file.stream() << content;
  file.commit();
}

void ReproduceCommand::reproduce(const Experiment& experiment, const std::atomic<bool>& interrupted) const {
  const fs::path folder(output);
  const std::string name = fmt::format("{}{}", experiment.name, quick ? "-quick" : "");
  std::error_code error;
  fs::create_directories(folder / "work", error);
  if (error) throw FileError(fmt::format("{}: cannot make the folder: {}", folder.string(), error.message()));
  const fs::path kept = folder / "work" / fmt::format("{}-{}-{}.jsonl", name, version, seed);
  if (afresh) fs::remove(kept);
  Results results(kept.string(), program_digest());
  JobsProgress progress(name, quiet);
  const std::set<std::string> keys = read_keys(only);
  const ExperimentContext context{.data = data,
                                  .work = (folder / "work").string(),
                                  .quick = quick,
                                  .seed = seed,
                                  .jobs = {.threads = threads,
                                           .results = &results,
                                           .only = is_part() ? &keys : nullptr,
                                           .stop = &interrupted,
                                           .progress = [&](const JobsDone& done) { progress(done); }}};
  if (is_part()) {
    try {
      static_cast<void>(experiment.run(context));
    } catch (const JobsStopped& stopped) {
      if (interrupted) throw;
      if (list_jobs) print_jobs(stopped.left());
    }
    return;
  }
  const auto begin = std::chrono::steady_clock::now();
  ExperimentReport report = experiment.run(context);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (quick) report.page.banner("Quick run: less data and fewer runs. These figures prove nothing.");
  report.page.heading("How this was made");
  report.page.facts({{"command", fmt::format("askfew reproduce {}{} --seed {}", experiment.name,
                                             quick ? " --quick" : "", seed)},
                     {"version", version},
                     {"time", fmt::format("{:%Y-%m-%d %H:%M} UTC, {:.0f} s on {} threads",
                                          fmt::gmtime(std::time(nullptr)), elapsed.count(), threads)}});
  write_file(folder / (name + ".html"), report.page.html());
  write_file(folder / (name + ".json"), json_text(report.figures, 1) + "\n");
  std::cout << fmt::format("{}  ({:.0f} s, {})\n", experiment.title, elapsed.count(),
                           (folder / (name + ".html")).string());
  for (const Verdict& verdict : report.page.verdicts()) {
    std::cout << fmt::format("  {}: {} {}\n", word_of(verdict), verdict.claim, verdict.found);
  }
  std::cout << std::flush;
}

int ReproduceCommand::operator()() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  constexpr const char* goes_on = "stopped; the same command goes on from here\n";
  // A job may take minutes. Every finished job is on the disk, and a line that is cut off is written again.
  const EndAfterInterrupt end(1, goes_on);
  try {
    for (const Experiment* experiment : chosen(paper)) reproduce(*experiment, interrupted);
  } catch (const JobsStopped&) {
    std::cerr << goes_on;
    return interrupted_exit_code();
  }
  return ok;
}

}  // namespace

void add_reproduce(Command& program, Ending& ending) {
  auto reproduce = std::make_shared<ReproduceCommand>();
  Command* command = program.add_subcommand(
      "reproduce", "Run a paper's experiments, and write a page that compares the results with the paper.");
  std::string names = "all";
  for (const Experiment& experiment : all_experiments()) names += fmt::format(", {}", experiment.name);
  command->add_option("PAPER", reproduce->paper, names)->required()->check(a_name);
  command->add_option("--data", reproduce->data, "folder of the data sets, see askfew data list")
      ->check(a_name)
      ->capture_default_str()
      ->envname("ASKFEW_DATA");
  command
      ->add_option("-o,--output", reproduce->output,
                   "folder for the reports, and for finished jobs, from which a stopped run continues")
      ->check(a_name)
      ->capture_default_str();
  command->add_option("--seed", reproduce->seed, "seed of all random choices")
      ->unshown_range(0, ~std::uint64_t{0})
      ->capture_default_str();
  command->add_option("--threads", reproduce->threads, "number of threads; the figures do not depend on it")
      ->range(1, 1024)
      ->capture_default_str();
  command->add_flag("--quick", reproduce->quick, "a small version in seconds");
  command->add_flag("--afresh", reproduce->afresh, "start again: do not use finished jobs of an earlier run");
  command->add_flag("--list-jobs", reproduce->list_jobs,
                    "print the next jobs that are not done, as JSON, and run none; for programs that divide "
                    "the jobs among machines");
  command
      ->add_option("--only", reproduce->only,
                   "run only the jobs in this file, lines of --list-jobs, and keep their results")
      ->check(a_name);
  command->add_flag("--quiet", reproduce->quiet, "no progress");
  command->callback([reproduce, &ending] { ending.code = (*reproduce)(); });
}

}  // namespace askfew::cli

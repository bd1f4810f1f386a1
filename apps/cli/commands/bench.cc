#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "askfew/core/version.h"
#include "askfew/json/json_text.h"

#include "apps/cli/commands/bench/benchmark.h"
#include "apps/cli/commands/commands.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/outputs.h"

namespace askfew::cli {
namespace {

struct BenchCommand {
  std::uint64_t rows = 20'000;
  unsigned repetitions = 11;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::string json_path;

  void operator()() const;

 private:
  [[nodiscard]] std::string text_of(const Benchmark& benchmark) const;
  [[nodiscard]] nlohmann::json json_of(const Benchmark& benchmark) const;
};

/// A number with so many digits behind the point, or blanks.
std::string cell(const std::optional<double>& number, double unit, int digits, int width) {
  return number ? fmt::format("{:>{}.{}f}", *number / unit, width, digits)
                : std::string(static_cast<std::size_t>(width), ' ');
}

std::string BenchCommand::text_of(const Benchmark& benchmark) const {
  std::string text =
      fmt::format("{} made-up rows, {:.1f} MB of svmlight text; {} threads, medians of {} repetitions\n\n",
                  rows, static_cast<double>(benchmark.text_bytes()) / 1e6, threads, repetitions);
  text += fmt::format("{:<22}{:>8}{:>14}\n", "", "GB/s", "examples/s");
  for (const Speed& speed : benchmark.speeds()) {
    text += fmt::format("{:<22}{}{}", speed.name, cell(speed.bytes_a_second, 1e9, 2, 8),
                        cell(speed.examples_a_second, 1, 0, 14));
    if (speed.share_of_limit) text += fmt::format("   {:.2f} of the {}", *speed.share_of_limit, speed.limit);
    text += '\n';
  }
  return text;
}

nlohmann::json BenchCommand::json_of(const Benchmark& benchmark) const {
  nlohmann::json measures;
  for (const Speed& speed : benchmark.speeds()) {
    nlohmann::json measure{{"name", speed.name}};
    if (speed.bytes_a_second) measure["bytes_per_second"] = *speed.bytes_a_second;
    if (speed.examples_a_second) measure["examples_per_second"] = *speed.examples_a_second;
    if (speed.share_of_limit) {
      measure["limit"] = speed.limit;
      measure["of_limit"] = *speed.share_of_limit;
    }
    measures.push_back(std::move(measure));
  }
  return {{"version", version},
          {"rows", rows},
          {"bytes", benchmark.text_bytes()},
          {"threads", threads},
          {"repetitions", repetitions},
          {"measures", std::move(measures)}};
}

void BenchCommand::operator()() const {
  Outputs outputs({{"--json", json_path}}, {});
  Benchmark benchmark({.rows = rows, .threads = threads});
  for (unsigned k = 0; k < repetitions; ++k) benchmark.repeat();
  if (std::ostream* out = outputs.of("--json")) *out << json_text(json_of(benchmark), 2) << '\n';
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_of(benchmark);
}

}  // namespace

void add_bench(Command& program) {
  auto bench = std::make_shared<BenchCommand>();
  Command* command = program.add_subcommand(
      "bench",
      "Measure the speed of this machine, and how near reading, learning and whole runs come to it.");
  command->add_option("--rows", bench->rows, "rows of made-up text")
      ->range(1, 10'000'000)
      ->capture_default_str();
  command
      ->add_option("--repetitions", bench->repetitions,
                   "number of repetitions of every measurement; the medians are shown")
      ->range(1, 1000)
      ->capture_default_str();
  command->add_option("--threads", bench->threads, "threads to read with")
      ->range(1, 1024)
      ->capture_default_str();
  command->add_option("--json", bench->json_path, "write the results here as JSON; - is standard output")
      ->check(a_name);
  command->callback([bench] { (*bench)(); });
}

}  // namespace askfew::cli

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <unistd.h>

#include "askfew/streams/formats/cache/writer.h"
#include "askfew/streams/formats/svmlight/svmlight_writer.h"
#include "askfew/system/atomic_file.h"
#include "askfew/system/file_places.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/options.h"

namespace askfew::cli {
namespace {

struct ConvertCommand {
  DataOptions data;
  ModelOptions reading;
  std::string output;
  std::string to = "cache";

  int operator()() const;

 private:
  /// How the data is read. THROWS: ConfigError for options that belong to those who read the result.
  [[nodiscard]] ModelConfig config() const;
};

/// How many examples have come so far, on a terminal.
class Count {
 public:
  ~Count() {
    if (last_ != start()) fmt::print(stderr, "\r{:40}\r", "");
  }
  void operator()(std::size_t examples) {
    count_ += examples;
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    fmt::print(stderr, "\r{} examples ", count_);
    static_cast<void>(std::fflush(stderr));
  }

 private:
  static std::chrono::steady_clock::time_point start() { return {}; }

  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::uint64_t count_ = 0;
  std::chrono::steady_clock::time_point last_ = start();
};

/// Gives every block of a stream to a writer, as long as `out` takes it.
template <typename Writer>
void copy(Stream& stream, const std::ostream& out, Writer& writer) {
  Count count;
  Examples block;
  auto more = stream.next(block);
  for (; more && *more && out; more = stream.next(block)) {
    writer.add(block, stream);
    count(block.size());
  }
  if (!more) throw DataError(more.error());
}

ModelConfig ConvertCommand::config() const {
  ModelConfig config = reading.reading_config(data);
  const auto refuse = [&](bool given, std::string_view option) {
    if (given) {
      throw ConfigError(
          fmt::format("{} is not for convert --to {}: give it where the result is read", option, to));
    }
  };
  refuse(config.features.tf_idf, "--tf-idf");
  refuse(data.order != "file", "--order");
  if (to == "cache") {
    refuse(config.features.bias != 0, "--bias");
    refuse(config.features.normalize, "--normalize");
  } else {
    refuse(config.features.text.dictionary, "--dictionary");
  }
  return config;
}

int ConvertCommand::operator()() const {
  check_apart(reading.inputs(data), std::vector<FilePlace>{{"--output", output}});
  const std::atomic<bool>& interrupted = handle_interrupts();
  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(config(), skipped, &interrupted);
  AtomicFile file(output, &std::cout, &interrupted);
  if (to == "cache") {
    CacheWriter writer(file.stream(), cache_header(*stream));
    copy(*stream, file.stream(), writer);
    writer.finish(*stream);
  } else {
    SvmlightWriter writer(file.stream());
    copy(*stream, file.stream(), writer);
  }
  std::cerr << text_of(*skipped);
  if (interrupted) return interrupted_exit_code();
  file.commit();
  return ok;
}

}  // namespace

void add_convert(CLI::App& program, Ending& ending) {
  auto convert = std::make_shared<ConvertCommand>();
  CLI::App* command = program.add_subcommand(
      "convert", "Write data in a form that is read many times as fast, or as svmlight text.");
  convert->data.add_to(*command);
  convert->reading.add_reading_to(*command);
  command->add_option("-o,--output", convert->output, "write here; - is standard output")
      ->required()
      ->check(a_name);
  command->add_option("--to", convert->to, "cache, or svmlight")
      ->check(CLI::IsMember({"cache", "svmlight"}))
      ->capture_default_str();
  command->callback([convert, &ending] { ending.code = (*convert)(); });
}

}  // namespace askfew::cli

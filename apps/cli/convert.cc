#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "askfew/core/atomic_file.h"
#include "askfew/streams/cache/writer.h"
#include "askfew/streams/svmlight_writer.h"

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"

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

tl::expected<void, ParseError> write_svmlight(Stream& stream, std::ostream& out) {
  SvmlightWriter writer(out);
  Examples block;
  auto more = stream.next(block);
  for (; more && *more && out; more = stream.next(block)) writer.add(block, stream);
  if (!more) return tl::make_unexpected(more.error());
  return {};
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
  const std::atomic<bool>& interrupted = watch_for_interrupts();
  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(config(), skipped, &interrupted);
  AtomicFile file(output);
  const auto written = to == "cache" ? write_cache(*stream, file.stream()).map([](const auto&) {})
                                     : write_svmlight(*stream, file.stream());
  std::cerr << text_of(*skipped);
  if (!written) throw DataError(written.error());
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

#include "askfew/workflows/convert.h"

#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <unistd.h>

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

/// How many examples have come so far, on a terminal.
class Count {
 public:
  ~Count() { clear(); }
  void operator()(std::uint64_t examples) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    fmt::print(stderr, "\r{} examples ", examples);
    static_cast<void>(std::fflush(stderr));
  }
  void clear() {
    if (last_ != start()) fmt::print(stderr, "\r{:40}\r", "");
    last_ = start();
  }

 private:
  static std::chrono::steady_clock::time_point start() { return {}; }

  bool terminal_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point last_ = start();
};

int convert_data(const ConvertOptions& options) {
  ConvertHooks hooks;
  hooks.standard_output = &std::cout;
  set_terminal_hooks(handle_interrupts(), hooks);
  hooks.doubt = [](const std::string& sentence) { print_notes({sentence}); };
  Count count;
  hooks.progress = [&](std::uint64_t examples) { count(examples); };
  hooks.skipped = [&, tell = hooks.skipped](const Skipped& skipped) {
    count.clear();
    tell(skipped);
  };
  return convert(options, hooks).stopped ? interrupted_exit_code() : ok;
}

}  // namespace

void add_convert(Command& program, Ending& ending) {
  auto options = std::make_shared<ConvertOptions>();
  Command* command = program.add_subcommand(
      "convert", "Convert data to a cache that is much faster to read, or to svmlight text.");
  add_data_flags(*command, options->data);
  add_reading_flags(*command, options->reading);
  command->add_option("-o,--output", options->output, "write here; - is standard output")
      ->required()
      ->check(a_name);
  command->add_option("--to", options->to, "cache, or svmlight")
      ->one_of({"cache", "svmlight"})
      ->capture_default_str();
  command->callback([options, &ending] { ending.code = convert_data(*options); });
}

}  // namespace askfew::cli

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <new>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "askfew/config/printable.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/core/version.h"
#include "askfew/system/file_buffer.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"

namespace askfew::cli {
namespace {

int complain(int code, const std::string& what) {
  // One line, whatever the message holds, and nothing that a terminal obeys.
  std::string line = with_flags(what);
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::cerr << "askfew: " << without_controls(line) << '\n';
  return code;
}

/// Standard output, by a buffer that knows why it failed.
class StandardOutput {
 public:
  StandardOutput() : buffer_(STDOUT_FILENO, &interrupted_flag()), usual_(std::cout.rdbuf(&buffer_)) {}
  ~StandardOutput() { std::cout.rdbuf(usual_); }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  StandardOutput(StandardOutput&&) = delete;
  StandardOutput& operator=(StandardOutput&&) = delete;

  /// The end of a command: what it printed must have arrived.
  int finish(int code) {
    std::cout.flush();
    const int error = buffer_.error();
    if (error == 0) return code;
    if (error == ECANCELED) return interrupted_exit_code();
    if (error == EPIPE) return closed_pipe;  // `askfew list | head -1` is no reason to complain
    return complain(bad_usage, fmt::format("cannot write to standard output: {}", std::strerror(error)));
  }

 private:
  FileBuffer buffer_;
  std::streambuf* usual_;
};

int run_command(Command& program, Ending& ending, int argc, char** argv) {
  StandardOutput output;
  const auto fail = [&](int code, const std::string& what) {
    return complain(code, ending.remains.empty() ? what : what + "; " + ending.remains);
  };
  try {
    program.parse(argc, argv);
    return output.finish(ending.code);
  } catch (const UsageError& error) {
    return fail(bad_usage, error.what());
  } catch (const DataError& error) {
    if (interrupted_flag()) return interrupted_exit_code();  // the interrupt has cut off the data
    return fail(bad_data, error.what());
  } catch (const NumericError& error) {
    return fail(bad_data, error.what());
  } catch (const MemoryError& error) {
    return fail(bad_data, std::string(error.what()) + " (see --max-memory)");
  } catch (const ModelError& error) {
    return fail(bad_data, error.what());
  } catch (const ResourceError& error) {
    return fail(bad_data, error.what());
  } catch (const ConfigError& error) {
    return fail(bad_usage, error.what());
  } catch (const FileError& error) {
    if (!std::cout) return output.finish(bad_usage);
    return fail(bad_usage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_data, "out of memory");
  } catch (const std::exception& error) {
    return fail(bad_usage, error.what());
  }
}

/// A file that is opened must not become standard output because that was closed: reports would go into it.
/// What takes its place can be neither read nor written.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

/// A command of the program. `add` adds it with its options.
struct NamedCommand {
  std::string_view name;
  std::function<void(Command&, Ending&)> add;
};

std::vector<NamedCommand> all_commands() {
  const auto without_ending = [](void (*add)(Command&)) {
    return [add](Command& program, Ending& /*unused*/) { add(program); };
  };
  return {{"run", add_run},
          {"predict", add_predict},
          {"evaluate", add_evaluate},
          {"label", add_label},
          {"tell", add_tell},
          {"list", without_ending(add_list)},
          {"inspect", without_ending(add_inspect)},
          {"backup", without_ending(add_backup)},
          {"bench", without_ending(add_bench)},
          {"bound", add_bound},
          {"client", without_ending(add_client)},
          {"compact", add_compact},
          {"compare", add_compare},
          {"completion", without_ending(add_completion)},
          {"convert", add_convert},
          {"coverage", add_coverage},
          {"data", add_data},
          {"ledger", without_ending(add_ledger)},
          {"replay", add_replay},
          {"reproduce", add_reproduce},
          {"serve", add_serve},
          {"stream", add_stream},
          {"tune", add_tune},
          {"whatif", add_whatif}};
}

/// Adds the command that the first argument names. Adds all commands if it names none, so that help and
/// errors know them, and for `completion`, which lists them.
void add_commands(Command& program, Ending& ending, std::string_view first) {
  const std::vector<NamedCommand> commands = all_commands();
  const auto named = std::ranges::find(commands, first, &NamedCommand::name);
  if (named != commands.end() && first != "completion") {  // to add all takes milliseconds
    named->add(program, ending);
    return;
  }
  for (const NamedCommand& command : commands) command.add(program, ending);
  program.group_subcommands("run predict evaluate label list inspect", "Begin here");
  program.group_subcommands("stream tell ledger replay compact whatif", "Labels that come later");
  program.group_subcommands("serve client backup", "A server for several people");
  program.group_subcommands("compare tune coverage bound reproduce data bench", "Experiments");
  program.group_subcommands("convert completion", "Tools");
}

int run_program(int argc, char** argv) {
  keep_standard_descriptors();
  // A closed pipe and a file that may not grow are errors like any other, and nothing half-written stays.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  Command program("Learns from a stream whose labels cost money, and asks for few of them.", "askfew");
  program.set_version_flag("--version", fmt::format("askfew {}", version));
  program.require_subcommand(1);
  program.footer("askfew COMMAND --help shows the options of a command, and --help-all also the rare ones.");
  Ending ending;
  add_commands(program, ending, argc > 1 ? argv[1] : "");
  return run_command(program, ending, argc, argv);
}

}  // namespace
}  // namespace askfew::cli

int main(int argc, char** argv) {
  try {
    return askfew::cli::run_program(argc, argv);
  } catch (const std::bad_alloc&) {  // where there was no memory for a message either
    std::fputs("askfew: out of memory\n", stderr);
    return askfew::cli::bad_data;
  }
}

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <iostream>
#include <poll.h>
#include <unistd.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/core/version.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/options.h"

namespace askfew::cli {
namespace {

int complain(int code, const std::string& what) {
  // One line, whatever the message holds.
  std::string line = what;
  std::replace(line.begin(), line.end(), '\n', ' ');
  std::cerr << "askfew: " << line << '\n';
  return code;
}

/// The end of a command that went well: what it printed must have arrived.
int finish(int code) {
  std::cout.flush();
  if (std::cout) return code;
  pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  const bool reader_is_gone = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (reader_is_gone) return closed_pipe;  // `askfew list | head -1` is no reason to complain
  return complain(bad_usage, "cannot write to standard output");
}

int run_command(CLI::App& program, Ending& ending, int argc, char** argv) {
  const auto fail = [&](int code, const std::string& what) {
    return complain(code, ending.remains.empty() ? what : what + "; " + ending.remains);
  };
  try {
    program.parse(argc, argv);
    return finish(ending.code);
  } catch (const CLI::Success& help) {
    program.exit(help);
    return finish(ok);
  } catch (const CLI::RequiredError& error) {
    const bool unknown_command = argc > 1 && program.get_subcommands().empty();
    return fail(
        bad_usage,
        unknown_command
            ? fmt::format(
                  "no command {}, known: run, predict, list, inspect, "
                  "bench, bound, compare, convert, coverage, data, ledger, replay, reproduce, stream, "
                  "tune, whatif",
                  in_quotes(argv[1]))
            : std::string(error.what()) + " (see askfew --help)");
  } catch (const CLI::ParseError& error) {
    return fail(bad_usage, std::string(error.what()) + " (see askfew --help)");
  } catch (const DataError& error) {
    return fail(bad_data, error.what());
  } catch (const NumericError& error) {
    return fail(bad_data, error.what());
  } catch (const MemoryError& error) {
    return fail(bad_data, std::string(error.what()) + " (see --max-memory)");
  } catch (const ModelError& error) {
    return fail(bad_data, error.what());
  } catch (const ConfigError& error) {
    return fail(bad_usage, error.what());
  } catch (const FileError& error) {
    if (!std::cout) return finish(bad_usage);
    return fail(bad_usage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_data, "out of memory");
  } catch (const std::exception& error) {
    return fail(bad_usage, error.what());
  }
}

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other, and nothing half-written stays
  CLI::App program("Learns from a stream whose labels cost money, and asks for few of them.", "askfew");
  program.set_version_flag("--version", fmt::format("askfew {}", version));
  program.require_subcommand(1);
  program.footer("askfew COMMAND --help tells the options of a command.");
  Ending ending;
  add_run(program, ending);
  add_predict(program, ending);
  add_list(program);
  add_inspect(program);
  add_bench(program);
  add_bound(program, ending);
  add_compare(program, ending);
  add_convert(program, ending);
  add_coverage(program, ending);
  add_data(program);
  add_ledger(program);
  add_replay(program, ending);
  add_reproduce(program, ending);
  add_stream(program, ending);
  add_tune(program, ending);
  add_whatif(program, ending);
  return run_command(program, ending, argc, argv);
}

}  // namespace
}  // namespace askfew::cli

int main(int argc, char** argv) {
  return askfew::cli::run_program(argc, argv);
}

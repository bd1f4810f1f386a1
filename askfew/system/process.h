#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace askfew {

/// A program to run and its arguments. No shell interprets the arguments.
struct Process {
  std::vector<std::string> arguments;  ///< the first argument names the program, which is searched in PATH
  std::string folder{};                ///< working folder; empty: the current folder
  int input = -1;                      ///< descriptor for standard input; -1: empty input
  int output = -1;                     ///< descriptor for standard output; -1: discarded
  int errors = -1;                     ///< descriptor for standard error; -1: discarded
};

/// Runs a program to its end. Returns its exit code, or 128 plus the signal that ended it. Once `stop` is
/// set, the program is asked to end. THROWS: FileError if the program cannot be started.
int run_process(const Process& process, const std::atomic<bool>* stop = nullptr);

}  // namespace askfew

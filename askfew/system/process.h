#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace askfew {

/// A program to be run, and its arguments as they are: no shell sees them.
struct Process {
  std::vector<std::string> arguments;  ///< the first names the program, which is looked for in PATH
  std::string folder{};                ///< that it works in; empty: this one's
  int input = -1;                      ///< descriptor of its standard input; -1: nothing to read
  int output = -1;                     ///< of its standard output; -1: nobody reads it
  int errors = -1;                     ///< of its standard error; -1: nobody reads it
};

/// Runs a program to its end. Returns its exit code, or 128 and the signal that ended it. Once `stop` is set,
/// it is told to end. THROWS: FileError if it cannot be started.
int run_process(const Process& process, const std::atomic<bool>* stop = nullptr);

}  // namespace askfew

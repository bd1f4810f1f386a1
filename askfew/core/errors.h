#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace askfew {

/// A configuration that cannot be: an unknown name, a parameter out of its range, an impossible pair.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An error's message with the round and task of it.
inline std::string at_round(std::uint64_t round, std::uint64_t task, const std::string& why) {
  return "round " + std::to_string(round) + ", task " + std::to_string(task) + ": " + why;
}

/// A number that stopped being finite, with the round and task in which it did.
class NumericError : public std::runtime_error {
 public:
  NumericError(const std::string& why, std::uint64_t round, std::uint64_t task)
      : std::runtime_error(at_round(round, task, why)) {}
};

/// What a learner throws whose numbers no longer mean anything. It does not know its round: the sampler turns
/// this into a NumericError.
class NumericFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A learner that would need more memory than it may have. In a round the sampler adds which one it is.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that cannot be opened, read or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A model file that is damaged, truncated or foreign.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The operating system refuses what is needed besides files and memory: a thread.
class ResourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Where and why an input is malformed. Lines and columns count from 1; 0 means that the format has none.
struct ParseError {
  std::uint64_t line = 0;
  std::size_t column = 0;
  std::string why;
  std::string file{};  ///< filled in by the stream
};

/// A malformed input; the message is file:line:column: why, without the numbers that the format has not.
class DataError : public std::runtime_error {
 public:
  explicit DataError(const ParseError& error) : std::runtime_error(message(error)) {}

 private:
  static std::string message(const ParseError& error) {
    if (error.file.empty() && error.line == 0) return error.why;
    std::string text = error.file;
    if (error.line != 0) text += ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
    return text + ": " + error.why;
  }
};

}  // namespace askfew

#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// Threads: many threads may read an exception at the same time.

namespace askfew {

/// The base of all exceptions that leave the library, apart from std::bad_alloc. The message says what is
/// wrong and where, and has no line break at its end.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An impossible configuration: an unknown name, a parameter out of its range, an impossible pair.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// An error message with its round and task.
std::string at_round(std::uint64_t round, std::uint64_t task, std::string_view why);

/// A number that is no longer finite, with the round and task.
class NumericError : public Error {
 public:
  NumericError(std::string_view why, std::uint64_t round, std::uint64_t task)
      : Error(at_round(round, task, why)) {}
  /// The message of another NumericError, with more words.
  explicit NumericError(const std::string& message) : Error(message) {}
};

/// Thrown by a learner whose numbers became useless. The learner does not know the round: the sampler turns
/// this exception into a NumericError.
class NumericFailure : public Error {
 public:
  using Error::Error;
};

/// A learner needs more memory than it may have. During a round, the sampler adds the round and task to the
/// message.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be opened, read or written.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A model file that is damaged, truncated or foreign.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// The operating system refuses a resource that is neither a file nor memory: a thread.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// Where and why an input is malformed. Lines and columns count from 1; 0 means that the format has no lines
/// or columns.
struct ParseError {
  std::uint64_t line = 0;
  std::size_t column = 0;
  std::string why;
  std::string file{};  ///< filled in by the stream
};

/// A malformed input. The message is "file:line:column: why", without the numbers that the format does not
/// have.
class DataError : public Error {
 public:
  explicit DataError(const ParseError& error);
};

// Exceptions for templates: compiled once instead of in each template.

/// ConfigError: the three texts joined.
[[noreturn]] void throw_config_error(std::string_view before, std::string_view name, std::string_view behind);
/// NumericError: the two texts joined.
[[noreturn]] void throw_numeric_error(std::string_view what, std::string_view why, std::uint64_t round,
                                      std::uint64_t task);
/// Rethrows the current exception; a NumericFailure and a MemoryError get the round and task. REQUIRES:
/// called inside an exception handler.
[[noreturn]] void rethrow_at_round(std::uint64_t round, std::uint64_t task);

}  // namespace askfew

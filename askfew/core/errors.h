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

/// A configuration that cannot be: an unknown name, a parameter out of its range, an impossible pair.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// An error's message with the round and task of it.
std::string at_round(std::uint64_t round, std::uint64_t task, std::string_view why);

/// A number that stopped being finite, with the round and task in which it did.
class NumericError : public Error {
 public:
  NumericError(std::string_view why, std::uint64_t round, std::uint64_t task)
      : Error(at_round(round, task, why)) {}
};

/// What a learner throws whose numbers no longer mean anything. It does not know its round: the sampler turns
/// this into a NumericError.
class NumericFailure : public Error {
 public:
  using Error::Error;
};

/// A learner that would need more memory than it may have. In a round the sampler adds which one it is.
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
class DataError : public Error {
 public:
  explicit DataError(const ParseError& error);
};

// What templates throw, compiled once instead of with each of them.

/// ConfigError: the three texts together.
[[noreturn]] void throw_config_error(std::string_view before, std::string_view name, std::string_view behind);
/// NumericError: both texts together.
[[noreturn]] void throw_numeric_error(std::string_view what, std::string_view why, std::uint64_t round,
                                      std::uint64_t task);
/// Throws the exception that is being handled again, a NumericFailure and a MemoryError with the round and
/// task of it. REQUIRES: a handler is at work.
[[noreturn]] void rethrow_at_round(std::uint64_t round, std::uint64_t task);

}  // namespace askfew

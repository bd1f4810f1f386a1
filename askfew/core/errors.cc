#include "askfew/core/errors.h"

namespace askfew {
namespace {

std::string message_of(const ParseError& error) {
  if (error.file.empty() && error.line == 0) return error.why;
  std::string text = error.file;
  if (error.line != 0) text += ":" + std::to_string(error.line) + ":" + std::to_string(error.column);
  return text + ": " + error.why;
}

}  // namespace

std::string at_round(std::uint64_t round, std::uint64_t task, std::string_view why) {
  return "round " + std::to_string(round) + ", task " + std::to_string(task) + ": " + std::string(why);
}

DataError::DataError(const ParseError& error) : Error(message_of(error)) {}

void throw_config_error(std::string_view before, std::string_view name, std::string_view behind) {
  throw ConfigError(std::string(before) + std::string(name) + std::string(behind));
}

void throw_numeric_error(std::string_view what, std::string_view why, std::uint64_t round,
                         std::uint64_t task) {
  throw NumericError(std::string(what) + std::string(why), round, task);
}

void rethrow_at_round(std::uint64_t round, std::uint64_t task) {
  try {
    throw;
  } catch (const NumericFailure& failure) {
    throw NumericError(failure.what(), round, task);
  } catch (const MemoryError& error) {
    throw MemoryError(at_round(round, task, error.what()));
  }
}

}  // namespace askfew

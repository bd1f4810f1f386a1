#include "askfew/trials/failures.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr auto key_of_numeric = "numeric_error";
constexpr auto key_of_memory = "memory_error";

}  // namespace

json outcome_of(const std::function<json()>& trials) {
  try {
    return trials();
  } catch (const NumericError& error) {
    return {{key_of_numeric, error.what()}};
  } catch (const MemoryError& error) {
    return {{key_of_memory, error.what()}};
  }
}

std::string failure_of(const json& outcome) {
  if (outcome.contains(key_of_memory)) {
    return outcome.at(key_of_memory).get<std::string>() + " (see `max_memory`)";
  }
  return outcome.value(key_of_numeric, "");
}

void expect_success(const std::vector<json>& outcomes, const std::function<std::string(std::size_t)>& name) {
  const auto fails = [](const json& outcome) { return !failure_of(outcome).empty(); };
  if (outcomes.empty() || !std::ranges::all_of(outcomes, fails)) return;
  const json& first = outcomes[0];
  if (first.contains(key_of_memory)) {
    throw MemoryError(name(0) + ": " + first.at(key_of_memory).get<std::string>());
  }
  throw NumericError(name(0) + ": " + failure_of(first));
}

}  // namespace askfew

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "askfew/models/model.h"

namespace askfew::cli {

/// What a run came to: counts are sums over the tasks, rates are means over them (the macro average).
struct Totals {
  std::uint64_t rounds = 0;
  std::uint64_t positives = 0;
  std::uint64_t asked = 0;
  std::uint64_t updates = 0;
  std::uint64_t mistakes = 0;
  std::uint64_t spreads = 0;
  double expected_asked = 0;
  double expected_asked_at_least = 0;
  double accuracy = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

/// Of a task, or of a class against the rest.
Totals totals_of(const Model& model, std::size_t task);
/// Of all tasks. A multi-class model is one task: rounds, labels, mistakes and accuracy are its own;
/// precision, recall and F are means over the classes.
Totals totals_of(const Model& model);

nlohmann::json json_of(const Totals& totals);

/// 63620 -> "63,620".
std::string grouped(std::uint64_t number);

}  // namespace askfew::cli

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "askfew/spending/label_budget.h"

namespace askfew::cli {

/// What the sampler of a new model may spend.
struct SpendingOptions {
  std::string budget;
  std::uint64_t horizon = 0;
  std::string audit;

  std::vector<CLI::Option*> add_to(CLI::App& command);
  /// THROWS: ConfigError.
  [[nodiscard]] Spending spending() const;
};

}  // namespace askfew::cli

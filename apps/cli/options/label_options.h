#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "askfew/models/label_plan.h"
#include "askfew/streams/scan.h"

namespace askfew::cli {

/// Which tasks the labels make.
struct LabelOptions {
  std::string positive;
  std::string labels;
  std::uint64_t topics = 0;  ///< 0: all that are named or found
  bool multiclass = false;

  /// Adds the options, and returns them.
  std::vector<CLI::Option*> add_to(CLI::App& command);
  /// What they name. THROWS: ConfigError for what is malformed or contradicts itself.
  [[nodiscard]] LabelPlan named() const;
  /// Must the labels be found in the data?
  [[nodiscard]] bool are_to_be_found() const {
    return labels == "all" || topics > 0 || (multiclass && labels.empty());
  }
  /// The plan of those that were.
  [[nodiscard]] LabelPlan found(const Scan& scan, const Stream& stream) const;

 private:
  [[nodiscard]] LabelPlan::Kind one_by_one() const {
    return multiclass ? LabelPlan::Kind::one_of : LabelPlan::Kind::one_a_label;
  }
};

}  // namespace askfew::cli

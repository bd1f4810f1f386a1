#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "askfew/features/feature_options.h"

namespace askfew::cli {

/// The options about features, as the command line gives them.
class FeatureFlags {
 public:
  /// Adds one option a row of the table, and returns them.
  std::vector<CLI::Option*> add_to(CLI::App& command);
  /// THROWS: ConfigError, FileError.
  [[nodiscard]] FeatureOptions options() const;
  /// Empty if there is none.
  [[nodiscard]] std::string stop_words_file() const;

 private:
  FeatureOptions options_;
  std::string stop_words_ = "none";  // or english, or a file
};

}  // namespace askfew::cli

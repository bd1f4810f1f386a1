#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "askfew/catalog/model.h"
#include "askfew/streams/open.h"

namespace askfew::cli {

/// Accepts what is not empty, for `check`: `--model "$UNSET"` should not run for an hour and then write
/// nothing.
std::string a_name(const std::string& text);

/// For `transform`: a whole number in decimal, whatever zeros it begins with, that fits.
std::string decimal(std::string& text);

/// A malformed input, with its place in the message.
class DataError : public std::runtime_error {
 public:
  /// file:line:column: why, without the numbers that the format has not.
  DataError(const std::string& path, const ParseError& error);
};

/// Where the data is and how it is written; what the model does not keep.
struct DataOptions {
  std::string path;
  std::string format = "auto";
  std::string idx_labels;

  void add_to(CLI::App& command);
  /// Opens the data as a model reads it.
  [[nodiscard]] std::unique_ptr<Stream> open(const ModelConfig& config) const;
  [[nodiscard]] bool can_be_read_twice() const;
};

/// What a new model is made of.
struct ModelOptions {
  std::string sampler;
  std::string learner;
  std::string rule;
  std::string update;
  std::uint64_t seed = 1;
  std::uint64_t dimension = 0;
  std::string positive;
  std::string labels;
  bool normalize = false;
  std::string label_field = "section";
  unsigned bits = TextOptions{}.bits;

  /// Adds the options, and returns them: with a model to resume none of them may be given.
  std::vector<CLI::Option*> add_to(CLI::App& command);
  /// Scans the data first where the labels or the dimension are still to be found out.
  [[nodiscard]] ModelConfig config(const DataOptions& data) const;

 private:
  [[nodiscard]] SamplerConfig sampler_config() const;
};

}  // namespace askfew::cli

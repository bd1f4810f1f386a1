#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "askfew/models/model.h"
#include "askfew/streams/open.h"
#include "askfew/system/file_places.h"

#include "apps/cli/options/feature_flags.h"
#include "apps/cli/options/label_options.h"
#include "apps/cli/options/memory.h"
#include "apps/cli/options/spending_options.h"

namespace askfew::cli {

/// Accepts what is not empty, for `check`: `--model "$UNSET"` should not run for an hour and then write
/// nothing.
std::string a_name(const std::string& text);

/// For `transform`: a whole number in decimal, whatever zeros it begins with, that fits.
std::string decimal(std::string& text);

/// Where the data is and how it is written; what the model does not keep.
struct DataOptions {
  std::vector<std::string> paths;
  std::string format = "auto";
  std::string idx_labels;
  std::string on_error = "stop";
  std::string order = "file";
  std::string split = "all";
  bool with_topics = false;
  bool cache = false;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t max_line = StreamOptions{}.max_line;
  std::uint64_t max_memory = usual_memory();
  bool needs_labels = true;  ///< else those of a table may be missing

  void add_to(CLI::App& command);
  void add_cache_to(CLI::App& command);
  /// Opens the data as a model reads it, or what is kept of it. With `--on-error skip` malformed examples are
  /// counted in `skipped`; `stop` ends the stream.
  [[nodiscard]] std::unique_ptr<Stream> open(const ModelConfig& config,
                                             const std::shared_ptr<Skipped>& skipped,
                                             const std::atomic<bool>* stop = nullptr) const;
  /// What --max-memory says, shared by all who ask.
  [[nodiscard]] const SharedLimit& memory() const;
  [[nodiscard]] bool can_be_read_twice() const;
  /// The files that are read. THROWS: FileError.
  [[nodiscard]] std::vector<FilePlace> inputs() const;
  /// For messages about the whole.
  [[nodiscard]] std::string name() const;

 private:
  [[nodiscard]] std::unique_ptr<Stream> open(const StreamOptions& options) const;

  mutable SharedLimit memory_;  // from the first who asks on
};

/// One line about each of the first examples that were left out, and how many there were; nothing if none
/// was.
std::string text_of(const Skipped& skipped);

/// What a new model is made of.
struct ModelOptions {
  std::string sampler;
  std::string learner;
  std::string rule;
  std::string update;
  SpendingOptions spending;
  std::uint64_t seed = 1;
  std::uint64_t dimension = 0;
  std::string index_base = "1";
  LabelOptions labels;
  std::string label_field = "section";
  FeatureFlags features;
  TableOptions table;

  /// Adds the options, and returns them: with a model to resume none of them may be given.
  std::vector<CLI::Option*> add_to(CLI::App& command);
  /// All but those about the formats of files.
  std::vector<CLI::Option*> add_live_to(CLI::App& command);
  /// Only those that say how data is read.
  std::vector<CLI::Option*> add_reading_to(CLI::App& command);
  /// The files of the data, and those that the options name.
  [[nodiscard]] std::vector<FilePlace> inputs(const DataOptions& data) const;
  /// What they say.
  [[nodiscard]] ModelConfig reading_config(const DataOptions& data) const;
  /// Scans the data first, up to `stop`, where the labels or the dimension are still to be found out.
  [[nodiscard]] ModelConfig config(const DataOptions& data, const std::atomic<bool>* stop) const;

 private:
  std::vector<CLI::Option*> add_features_to(CLI::App& command);
  std::vector<CLI::Option*> add_formats_to(CLI::App& command);
  [[nodiscard]] SamplerConfig sampler_config() const;
  [[nodiscard]] FeatureView::Index first_index(const DataOptions& data) const;
  /// What the options say about the number of features; 0: nothing.
  [[nodiscard]] FeatureView::Index fixed_dimension(const ModelConfig& config) const;
};

}  // namespace askfew::cli

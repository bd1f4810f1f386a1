#pragma once

#include <memory>
#include <string>
#include <vector>

#include "askfew/models/model.h"
#include "askfew/streams/stream.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"
#include "askfew/workflows/seen_examples.h"
#include "askfew/workflows/seen_ids.h"
#include "askfew/workflows/seen_labels.h"
#include "askfew/workflows/sorted_labels.h"

namespace askfew {

/// The data of a workflow, opened as a model reads it.
class InputData {
 public:
  /// REQUIRES: both arguments outlive this object. THROWS: ConfigError for an option that is not accepted.
  InputData(const DataOptions& options, const Hooks& hooks);

  /// Predictions need no labels: the label column of a table may be missing.
  enum class Labels : std::uint8_t { needed, not_needed };
  /// Opens the data, or its cache. `model`: the file of the configuration; data of another kind is then an
  /// error. THROWS: FileError, ConfigError, DataError.
  std::unique_ptr<Stream> open(const ModelConfig& config, Labels labels = Labels::needed,
                               const std::string& model = {});

  /// The number of examples, where it can be told without reading them, and much faster. Malformed examples
  /// are counted too. Nothing for small files, whose examples are read once and kept. THROWS: as `open`.
  [[nodiscard]] std::optional<std::uint64_t> count(const ModelConfig& config) const;

  /// Call before `open` if somebody gets the ids of the examples: ids that repeat are then told. They are
  /// told as well if the configuration names their column.
  void watch_ids() { watches_ids_ = true; }
  /// Call before `open` if the order of the examples matters: examples that are sorted by their labels are
  /// then told.
  void watch_order() { watches_order_ = true; }
  /// The labels that were found in the data and became tasks or classes.
  void note_found_labels(const std::vector<std::string>& labels);

  /// Call after the stream, the last that was opened, was read. Returns what is doubtful about the data, one
  /// sentence each, and the hooks get every sentence. `is_whole`: the data has all examples of a model;
  /// then labels that the configuration names and that no example had are an error if the data can be read
  /// twice, and a sentence otherwise. THROWS: ConfigError.
  [[nodiscard]] std::vector<std::string> check(const Stream& stream, bool is_whole = true) const;
  /// Only the error of `check`, for data that is read once more. THROWS: ConfigError.
  void expect_labels() const;

  /// THROWS: FileError if a file is not there.
  void expect_files() const;
  /// False for standard input and other pipes: they give their bytes only once.
  [[nodiscard]] bool can_be_read_twice() const;
  /// The name for messages about all of the data.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const DataOptions& options() const { return options_; }
  [[nodiscard]] const Hooks& hooks() const { return hooks_; }
  /// The memory limit that reading and learning share.
  [[nodiscard]] const SharedLimit& memory() const { return memory_; }

  /// The examples that the last opened stream has skipped.
  [[nodiscard]] const Skipped& skipped() const { return *skipped_; }
  /// The same, for a stream around that stream; null if examples are not skipped.
  [[nodiscard]] std::shared_ptr<Skipped> shared_skipped() const {
    return options_.on_error == "skip" ? skipped_ : nullptr;
  }
  /// Call after that stream was read.
  void tell_skipped() const {
    if (skipped_->count > 0 && hooks_.skipped) hooks_.skipped(*skipped_);
  }
  /// The error for data without any example.
  [[nodiscard]] DataError no_example() const {
    const std::string_view why =
        options_.unlabelled == "skip" ? "no example with a label in it" : "no example in it";
    return DataError({.why = std::string(why), .file = name()});
  }

 private:
  [[nodiscard]] StreamOptions options_for(const ModelConfig& config, Labels labels) const;
  [[nodiscard]] std::unique_ptr<Stream> open(const StreamOptions& options) const;
  /// The same; data with other columns than those of the model is told with the model.
  [[nodiscard]] std::unique_ptr<Stream> open_for(const ModelConfig& config, const std::string& model,
                                                 const StreamOptions& options) const;

  const DataOptions& options_;
  const Hooks& hooks_;
  ReutersOptions::Split split_;
  Order order_;
  SharedLimit memory_;
  std::shared_ptr<Skipped> skipped_;
  std::shared_ptr<SeenExamples> examples_;
  std::shared_ptr<SeenLabels> seen_;
  bool watches_ids_ = false;
  std::shared_ptr<SeenIds> ids_;
  bool watches_order_ = false;
  std::shared_ptr<SortedLabels> sorted_;
  std::string found_labels_doubt_;
};

}  // namespace askfew

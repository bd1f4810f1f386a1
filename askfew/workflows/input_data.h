#pragma once

#include <memory>
#include <string>

#include "askfew/models/model.h"
#include "askfew/streams/stream.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The data of a workflow, to be opened as a model reads it.
class InputData {
 public:
  /// REQUIRES: both outlive this. THROWS: ConfigError for an option that is not accepted.
  InputData(const DataOptions& options, const Hooks& hooks);

  /// Predictions need no labels: those of a table may be missing.
  enum class Labels : std::uint8_t { needed, not_needed };
  /// Opens the data, or the cache that is kept of it. THROWS: FileError, ConfigError, DataError.
  std::unique_ptr<Stream> open(const ModelConfig& config, Labels labels = Labels::needed);

  /// Standard input and other pipes give their bytes only once.
  [[nodiscard]] bool can_be_read_twice() const;
  /// For messages about the whole.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const DataOptions& options() const { return options_; }
  [[nodiscard]] const Hooks& hooks() const { return hooks_; }
  /// The limit of memory that reading and learning share.
  [[nodiscard]] const SharedLimit& memory() const { return memory_; }

  /// The examples that the stream opened last has left out.
  [[nodiscard]] const Skipped& skipped() const { return *skipped_; }
  /// To be called once that stream was read.
  void tell_skipped() const {
    if (skipped_->count > 0 && hooks_.skipped) hooks_.skipped(*skipped_);
  }
  /// The error of data without an example.
  [[nodiscard]] DataError no_example() const {
    return DataError({.why = "no example in it", .file = name()});
  }

 private:
  [[nodiscard]] std::unique_ptr<Stream> open(const StreamOptions& options) const;

  const DataOptions& options_;
  const Hooks& hooks_;
  ReutersOptions::Split split_;
  SharedLimit memory_;
  std::shared_ptr<Skipped> skipped_;
};

}  // namespace askfew

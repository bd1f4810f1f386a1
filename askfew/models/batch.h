#pragma once

// Consecutive examples that a run takes together, from a stream or from memory.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/streams/memory/memory_rows.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The reason why an instance with this norm cannot be learned, or an empty text. `unit_norm`: the norm must
/// be 1 or 0.
std::string complaint_of_norm(double squared_norm, bool unit_norm);

/// The reason why a budget per period cannot use an instance with this time, or an empty text.
std::string complaint_of_time(std::int64_t time);

/// What a batch needs to know besides its examples.
struct BatchOptions {
  FeatureState* features = nullptr;  ///< if not null, settles the instances before they are learned
  bool unit_norm = false;            ///< refuse instances with a norm other than 1 or 0
  bool timed = false;                ///< refuse instances without a time
};

/// Consecutive examples of a source, with the label of every task.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  Batch(Batch&&) = delete;
  Batch& operator=(Batch&&) = delete;
  virtual ~Batch() = default;

  /// Reads the next examples, at most `rows`; the batch is empty at the end of the source. Examples before an
  /// error are delivered first.
  virtual tl::expected<void, ParseError> advance(std::uint64_t rows) = 0;

  [[nodiscard]] std::size_t size() const { return instances_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return instances_; }
  [[nodiscard]] bool is_timed() const { return !times_.empty(); }
  /// REQUIRES: is_timed().
  [[nodiscard]] std::int64_t time(std::size_t row) const { return times_[row]; }
  /// The name of the example in its data; empty: it has none.
  [[nodiscard]] std::string_view id(std::size_t row) const {
    return ids_.empty() ? std::string_view() : ids_[row];
  }
  /// The labels of all tasks.
  [[nodiscard]] std::span<const Label> labels(std::size_t row) const {
    return labels_.subspan(row * tasks_, tasks_);
  }

 protected:
  /// The content of the batch: one label per task and row; a time per row, or none.
  void set(std::span<const FeatureView> instances, std::span<const Label> labels, std::size_t tasks,
           std::span<const std::int64_t> times, std::span<const std::string_view> ids = {}) {
    instances_ = instances;
    labels_ = labels;
    tasks_ = tasks;
    times_ = times;
    ids_ = ids;
  }

 private:
  std::span<const FeatureView> instances_;
  std::span<const Label> labels_;
  std::size_t tasks_ = 1;
  std::span<const std::int64_t> times_;
  std::span<const std::string_view> ids_;
};

/// The examples of a stream.
class StreamBatch final : public Batch {
 public:
  /// REQUIRES: the stream and the labelling outlive this object.
  StreamBatch(Stream& stream, const Labelling& labelling, const BatchOptions& options)
      : stream_(stream), labelling_(labelling), options_(options) {}

  tl::expected<void, ParseError> advance(std::uint64_t rows) override;

 private:
  tl::expected<void, ParseError> accept(std::size_t row);

  Stream& stream_;
  const Labelling& labelling_;
  BatchOptions options_;
  Examples examples_;     // as delivered by the stream
  std::size_t next_ = 0;  // index of the first example that is in no batch yet
  std::optional<ParseError> error_;
  std::vector<FeatureView> instances_;
  std::vector<Label> labels_;
  std::vector<std::int64_t> times_;  // empty if times are not needed
  std::vector<std::string_view> ids_;
};

/// Labelled rows in memory.
class MemoryBatch final : public Batch {
 public:
  /// `labels`: the labels of all tasks of a row, row after row; `times`: one per row, or none. Rows are used
  /// in place if they need no conversion and `options` changes nothing. REQUIRES: all of them outlive this
  /// object. THROWS: ConfigError if the labels or times do not fit the rows.
  MemoryBatch(MemoryRows& rows, std::span<const Label> labels, std::size_t tasks,
              std::span<const std::int64_t> times, const FeatureOptions& changes,
              const BatchOptions& options);

  tl::expected<void, ParseError> advance(std::uint64_t rows) override;

 private:
  MemoryRows& rows_;
  std::span<const Label> labels_;
  std::size_t tasks_;
  std::span<const std::int64_t> times_;
  FeatureOptions changes_;
  BatchOptions options_;
  bool in_place_;
  std::size_t next_ = 0;  // the first row that is in no batch yet
  Examples examples_;     // rows that are not used in place
  std::vector<FeatureView> instances_;
};

}  // namespace askfew

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/feature_state.h"
#include "askfew/models/labelling.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The reason why an instance with this norm cannot be learned, or an empty text. `unit_norm`: the norm must
/// be 1 or 0.
std::string complaint_of_norm(double squared_norm, bool unit_norm);

/// Consecutive examples of a stream, with the label of every task.
class Batch {
 public:
  /// `features`: if not null, settles the instances before they are learned. `unit_norm`: refuse instances
  /// with a norm other than 1 or 0. `timed`: refuse instances without a time.
  Batch(Stream& stream, const Labelling& labelling, FeatureState* features, bool unit_norm, bool timed)
      : stream_(stream), labelling_(labelling), features_(features), unit_norm_(unit_norm), timed_(timed) {}

  /// Reads the next examples, at most `rows`; the batch is empty at the end of the stream. Examples before an
  /// error are delivered first.
  tl::expected<void, ParseError> advance(std::uint64_t rows);

  [[nodiscard]] std::size_t size() const { return instances_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return instances_; }
  [[nodiscard]] bool is_timed() const { return timed_; }
  /// REQUIRES: is_timed().
  [[nodiscard]] std::int64_t time(std::size_t row) const { return times_[row]; }
  /// The labels of all tasks.
  [[nodiscard]] std::span<const Label> labels(std::size_t row) const {
    return std::span(labels_).subspan(row * labelling_.tasks(), labelling_.tasks());
  }

 private:
  tl::expected<void, ParseError> accept(std::size_t row);

  Stream& stream_;
  const Labelling& labelling_;
  FeatureState* features_;
  bool unit_norm_;
  bool timed_;
  Examples examples_;     // as delivered by the stream
  std::size_t next_ = 0;  // index of the first example that is in no batch yet
  std::optional<ParseError> error_;
  std::vector<FeatureView> instances_;
  std::vector<Label> labels_;
  std::vector<std::int64_t> times_;  // empty if times are not needed
};

}  // namespace askfew

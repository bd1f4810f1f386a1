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

/// Why an instance of this norm cannot be learned, or an empty text. `unit_norm`: it must be 1, or 0.
std::string complaint_of_norm(double squared_norm, bool unit_norm);

/// Examples of a stream in a row, with the label of every task.
class Batch {
 public:
  /// `features`: settles the instances before they are learned, if there is one. `unit_norm`: refuse
  /// instances of another norm than 1 (or 0). `timed`: refuse those without a time.
  Batch(Stream& stream, const Labelling& labelling, FeatureState* features, bool unit_norm, bool timed)
      : stream_(stream), labelling_(labelling), features_(features), unit_norm_(unit_norm), timed_(timed) {}

  /// Goes on to the next examples, up to `rows`; to none at the end of the stream. What comes before an error
  /// is learned first.
  tl::expected<void, ParseError> advance(std::uint64_t rows);

  [[nodiscard]] std::size_t size() const { return instances_.size(); }
  [[nodiscard]] std::span<const FeatureView> instances() const { return instances_; }
  [[nodiscard]] bool is_timed() const { return timed_; }
  /// REQUIRES: is_timed().
  [[nodiscard]] std::int64_t time(std::size_t row) const { return times_[row]; }
  /// Of every task.
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
  Examples examples_;     // as the stream delivered them
  std::size_t next_ = 0;  // of them, the first that is in no batch yet
  std::optional<ParseError> error_;
  std::vector<FeatureView> instances_;
  std::vector<Label> labels_;
  std::vector<std::int64_t> times_;  // where they matter
};

}  // namespace askfew

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/core/examples.h"
#include "askfew/streams/origin.h"

namespace askfew {

/// What the labels of a stream look like.
enum class LabelKind : std::uint8_t {
  binary,   ///< -1 or 0 against +1
  one_two,  ///< 1 against 2
  classes,  ///< one of several a line
  topics    ///< any number a line
};

struct TableSchema;

/// Malformed examples that were left out.
struct Skipped {
  static constexpr std::size_t max_shown = 10;

  std::uint64_t count = 0;
  std::vector<ParseError> first;  ///< the first of them
};

/// A source of labelled examples, in order, a block at a time.
class Stream {
 public:
  /// With `skipped` malformed examples are left out and counted there; without it the first ends the stream.
  explicit Stream(std::shared_ptr<Skipped> skipped = nullptr) : skipped_(std::move(skipped)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;
  virtual ~Stream() = default;

  /// Replaces the block by the next examples, at least one; false at the end of the stream. What comes before
  /// an error in the file is delivered before it.
  virtual tl::expected<bool, ParseError> next(Examples& block) = 0;

  /// The file of the last block.
  [[nodiscard]] virtual std::string name() const = 0;

  /// The labels of a stream have numbers inside and names outside. THROWS: ConfigError for a name that the
  /// format cannot have.
  virtual Examples::LabelId label_id(std::string_view name) = 0;
  [[nodiscard]] virtual std::string label_name(Examples::LabelId id) const = 0;

  [[nodiscard]] virtual LabelKind label_kind() const = 0;
  /// Names of a few labels, for messages, if the format knows some.
  [[nodiscard]] virtual std::vector<std::string> some_labels() const { return {}; }

  /// Where its examples come from, in order.
  [[nodiscard]] virtual std::vector<Origin> origins() const { return {}; }

  /// Number of features if the format fixes it, else 0.
  [[nodiscard]] virtual FeatureView::Index dimension() const { return 0; }

  /// What the user should know about what was delivered so far, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// How a table is read, which a model remembers; null if this is none.
  [[nodiscard]] virtual const TableSchema* table() const { return nullptr; }

  /// Counts more examples that are malformed. REQUIRES: one was skipped before.
  void skip_more(std::uint64_t examples) {
    if (skipped_ != nullptr) skipped_->count += examples;
  }
  /// Can the stream go on without an example that is malformed? Then it is counted.
  bool skip(const ParseError& error) {
    if (skipped_ == nullptr) return false;
    ++skipped_->count;
    if (skipped_->first.size() < Skipped::max_shown) skipped_->first.push_back(error);
    return true;
  }

 private:
  std::shared_ptr<Skipped> skipped_;
};

}  // namespace askfew

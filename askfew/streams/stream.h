#pragma once

// The interface of a stream of examples, and the facts about it.

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

/// The kind of labels in a stream.
enum class LabelKind : std::uint8_t {
  binary,   ///< -1 or 0 against +1
  one_two,  ///< 1 against 2
  classes,  ///< one of several per example
  topics    ///< any number per example
};

/// What an instance consists of. A model reads only data of its own kind.
enum class InputKind : std::uint8_t {
  unknown,  ///< of a model or a cache that does not say; fits everything
  text,     ///< words and named features
  columns,  ///< the columns of a table, by name
  numbers,  ///< numbers by their index, dense or sparse
  vw        ///< features as Vowpal Wabbit hashes them
};

/// What becomes of an example without a label.
enum class Unlabelled : std::uint8_t {
  malformed,  ///< it is an error like any other
  skipped,    ///< it is left out and counted, see Stream::notes
  accepted    ///< it is delivered without a label; a table needs no column for labels
};

/// What a message about a missing label adds.
inline constexpr std::string_view unlabelled_hint =
    ": `unlabelled` skip leaves such examples out; askfew label and askfew stream ask for labels";

struct TableSchema;

/// Malformed examples that were skipped.
struct Skipped {
  static constexpr std::size_t max_shown = 10;

  std::uint64_t count = 0;
  std::vector<ParseError> first;  ///< the first of them
};

/// Facts about a stream that are known at the beginning and never change.
struct StreamFacts {
  LabelKind label_kind = LabelKind::binary;
  InputKind input = InputKind::unknown;
  std::vector<std::string> some_labels{};      ///< names of a few labels, for messages, if known
  FeatureView::Index dimension = 0;            ///< number of features if the format fixes it, else 0
  std::shared_ptr<const TableSchema> table{};  ///< how a table is read, stored in a model; null if not a
                                               ///< table
  std::vector<Origin> origins{};               ///< the sources of the examples, in order
};

/// A source of labelled examples, in order, one block at a time.
class Stream {
 public:
  /// With `skipped`, malformed examples are skipped and counted; without it, the first malformed example ends
  /// the stream.
  explicit Stream(std::shared_ptr<Skipped> skipped = nullptr) : skipped_(std::move(skipped)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;
  virtual ~Stream() = default;

  /// Replaces the block by the next examples, at least one; false at the end of the stream. Examples before
  /// an error are delivered before the error.
  virtual tl::expected<bool, ParseError> next(Examples& block) = 0;

  /// The file of the last block.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Inside the library labels have numbers, outside they have names. THROWS: ConfigError for a name that the
  /// format cannot have.
  virtual Examples::LabelId label_id(std::string_view name) = 0;
  [[nodiscard]] virtual std::string label_name(Examples::LabelId id) const = 0;

  [[nodiscard]] const StreamFacts& facts() const { return facts_; }

  /// Facts about the delivered examples that the user should know, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// Counts more malformed examples. REQUIRES: an example was skipped before.
  void skip_more(std::uint64_t examples) {
    if (skipped_ != nullptr) skipped_->count += examples;
  }
  /// Can the stream continue without this malformed example? If yes, counts the example.
  bool skip(const ParseError& error) {
    if (skipped_ == nullptr) return false;
    ++skipped_->count;
    if (skipped_->first.size() < Skipped::max_shown) skipped_->first.push_back(error);
    return true;
  }

 protected:
  /// Called by the constructor.
  void set_facts(StreamFacts facts) { facts_ = std::move(facts); }

 private:
  std::shared_ptr<Skipped> skipped_;
  StreamFacts facts_;
};

}  // namespace askfew

#pragma once

#include <optional>
#include <span>
#include <string>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/arff_cursor.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Turns rows of an ARFF file into examples.
class ArffParser final : public Parser {
 public:
  /// A value that a sparse row may omit.
  struct Unwritten {
    std::size_t attribute = 0;
    std::optional<std::string> value;  ///< nothing: the value is missing
  };

  /// `unwritten` has the values that make a difference, in the order of the attributes. REQUIRES: all
  /// arguments outlive this object.
  ArffParser(const TablePlan& plan, std::span<const Unwritten> unwritten, const TextFeatures& texts,
             const MixedLabels& labels, const TableRow::Options& options)
      : slots_(plan.slots()), unwritten_(unwritten), row_(plan, texts, labels, options) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  using Result = tl::expected<bool, ParseError>;

  /// Returns whether the line contains a row.
  Result read(std::string_view line);
  Result read_dense(ArffCursor& cursor);
  Result read_sparse(ArffCursor& cursor);
  Result read_value(ArffCursor& cursor, const TablePlan::Slot& slot);
  /// Adds the omitted values of the attributes before this attribute.
  Result leave_out(std::size_t attribute, std::size_t column);
  /// Reads a weight, which is not used, and then the end of the line.
  static Result read_end(ArffCursor& cursor);

  std::span<const TablePlan::Slot> slots_;
  std::span<const Unwritten> unwritten_;
  std::size_t left_out_ = 0;  // number of unwritten values already handled
  TableRow row_;
};

}  // namespace askfew

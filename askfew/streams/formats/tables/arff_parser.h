#pragma once

#include <optional>
#include <span>
#include <string>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/tables/arff_cursor.h"
#include "askfew/streams/formats/tables/table_row.h"

namespace askfew {

/// Rows of an ARFF file to examples.
class ArffParser final : public Parser {
 public:
  /// A value that a sparse row need not write.
  struct Unwritten {
    std::size_t attribute = 0;
    std::optional<std::string> value;  ///< nothing: it is missing
  };

  /// `unwritten` are those that make a difference, in the order of the attributes. REQUIRES: all outlive it.
  ArffParser(const TablePlan& plan, std::span<const Unwritten> unwritten, const TextFeatures& texts,
             const MixedLabels& labels, const TableRow::Options& options)
      : slots_(plan.slots()), unwritten_(unwritten), row_(plan, texts, labels, options) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  using Result = tl::expected<bool, ParseError>;

  /// Whether the line holds a row.
  Result read(std::string_view line);
  Result read_dense(ArffCursor& cursor);
  Result read_sparse(ArffCursor& cursor);
  Result read_value(ArffCursor& cursor, const TablePlan::Slot& slot);
  /// Adds what is not written of the attributes before this one.
  Result leave_out(std::size_t attribute, std::size_t column);
  /// A weight, which is not used, and then the end of the line.
  static Result read_end(ArffCursor& cursor);

  std::span<const TablePlan::Slot> slots_;
  std::span<const Unwritten> unwritten_;
  std::size_t left_out_ = 0;  // so many of the unwritten have had their turn
  TableRow row_;
};

}  // namespace askfew

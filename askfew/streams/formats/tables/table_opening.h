#pragma once

#include <utility>

#include "askfew/core/errors.h"
#include "askfew/features/feature_options.h"
#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// The arguments for opening a table format.
struct TableOpening {
  TableOptions told{};
  const TableSchema* schema = nullptr;  ///< of a table that was read before; replaces `told`
  TextOptions text{};
  Unlabelled unlabelled = Unlabelled::malformed;
};

/// A file lacks columns of the table that was read before it.
class OtherColumns : public DataError {
 public:
  explicit OtherColumns(ParseError error) : DataError(error), error_(std::move(error)) {}

  [[nodiscard]] const ParseError& error() const { return error_; }

 private:
  ParseError error_;
};

}  // namespace askfew

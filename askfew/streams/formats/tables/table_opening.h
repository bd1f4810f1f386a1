#pragma once

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

}  // namespace askfew

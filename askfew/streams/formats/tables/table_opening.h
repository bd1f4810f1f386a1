#pragma once

#include "askfew/features/feature_options.h"
#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// What a format of tables is opened with.
struct TableOpening {
  TableOptions told{};
  const TableSchema* schema = nullptr;  ///< of a table that was read before; takes the place of `told`
  TextOptions text{};
  bool needs_labels = true;  ///< else they may be missing
};

}  // namespace askfew

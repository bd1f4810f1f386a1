#pragma once

#include <nlohmann/json_fwd.hpp>

#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// The schema of tables as models and caches store it.
nlohmann::json json_of(const TableSchema& schema);
/// THROWS: json::exception, ConfigError.
TableSchema table_of(const nlohmann::json& text);

}  // namespace askfew

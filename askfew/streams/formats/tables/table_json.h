#pragma once

#include <nlohmann/json_fwd.hpp>

#include "askfew/streams/formats/tables/table_schema.h"

namespace askfew {

/// How models and caches keep the schema of the tables that they read.
nlohmann::json json_of(const TableSchema& schema);
/// THROWS: json::exception, ConfigError.
TableSchema table_of(const nlohmann::json& text);

}  // namespace askfew

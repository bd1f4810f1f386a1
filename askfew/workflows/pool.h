#pragma once

// The texts of a pool, for people to label.

#include <optional>
#include <string>
#include <vector>

#include "askfew/streams/formats/tables/table_options.h"

// Threads: many threads may call these functions at the same time.

namespace askfew {

/// A text that a person can read and label.
struct PoolItem {
  std::string id;                    ///< from the data, or the number of the record
  std::string text;                  ///< several columns are joined by line ends
  std::optional<std::string> label;  ///< a label that it has already
};

/// Reads texts for people: a CSV or TSV table, JSON lines, or a file with one text per line; packed or not.
/// The columns of text, id and label are those of `told`; else the column with most words, and columns with
/// their usual names. THROWS: FileError, DataError, ConfigError.
std::vector<PoolItem> read_pool(const std::string& path, const TableOptions& told = {});

/// The same for answers: the table may have ids and labels alone, or nothing but a header.
std::vector<PoolItem> read_answers(const std::string& path, const TableOptions& told);

}  // namespace askfew

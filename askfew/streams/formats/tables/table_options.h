#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace askfew {

/// The user's options for reading a table. A column is given by its name or by its number, from 1. JSON lines
/// use the columns of label, id, time and text as names of keys.
struct TableOptions {
  enum class Header : std::uint8_t { automatic, yes, no };

  Header header = Header::automatic;  ///< for a CSV file: is the first line a header?
  char delimiter = 0;                 ///< for a CSV file; 0: guess; a space: any run of blanks
  std::string label_column{};         ///< empty: the usual label name, or the last column
  bool may_lack_label = false;        ///< a table without the column `label_column` is accepted
  std::string id_column{};            ///< never a feature; empty: a column with the name id
  std::string time_column{};          ///< ISO 8601 or seconds since 1970; empty: no times
  std::vector<std::string> numeric_columns{};
  std::vector<std::string> categorical_columns{};
  std::vector<std::string> text_columns{};
  std::vector<std::string> ignore_columns{};

  bool operator==(const TableOptions&) const = default;
};

/// ",", ";", "tab", "space" and so on. THROWS: ConfigError for a text that cannot separate fields.
char parse_delimiter(const std::string& text);

}  // namespace askfew

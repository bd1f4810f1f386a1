#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace askfew {

/// How a table is read, as far as it is told. Columns are told by their name or by their number, from 1.
struct TableOptions {
  enum class Header : std::uint8_t { automatic, yes, no };

  Header header = Header::automatic;  ///< of a CSV file: is its first line one?
  char delimiter = 0;                 ///< of a CSV file; 0: found out; a space: any run of blanks
  std::string label_column{};         ///< empty: by its name, or the last
  std::vector<std::string> numeric_columns{};
  std::vector<std::string> categorical_columns{};
  std::vector<std::string> text_columns{};
  std::vector<std::string> ignore_columns{};

  bool operator==(const TableOptions&) const = default;
};

/// ",", ";", "tab", "space" and so on. THROWS: ConfigError for what cannot part fields.
char parse_delimiter(const std::string& text);

}  // namespace askfew

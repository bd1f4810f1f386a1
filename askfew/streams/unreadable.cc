#include "askfew/streams/unreadable.h"

#include <array>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/formats.h"

namespace askfew {
namespace {

using Magic = std::pair<std::string_view, std::string_view>;

constexpr std::array magics{Magic{{"\xfd"
                                   "7zXZ\0",
                                   6},
                                  "xz"},
                            Magic{{"PK\3\4", 4}, "zip, as Excel's workbooks are (save them as CSV)"},
                            Magic{{"BZh", 3}, "bzip2"},
                            Magic{{"7z\xbc\xaf", 4}, "7-zip"},
                            Magic{{"Rar!", 4}, "rar"},
                            Magic{{"PAR1", 4}, "parquet"}};

bool is_tar(std::string_view bytes) {
  constexpr std::size_t place = 257;
  return bytes.size() > place && bytes.substr(place).starts_with("ustar");
}

bool is_recognized(std::string_view bytes) {
  // The last format accepts everything.
  const auto formats = all_formats();
  for (const FormatEntry& entry : formats.first(formats.size() - 1)) {
    if (entry.name != "csv" && entry.name != "tsv" && entry.recognizes(bytes)) return true;
  }
  return false;
}

/// A carriage return inside the bytes, and no line feed. The last byte may be the first half of a line end.
bool has_lines_of_old_macs(std::string_view bytes) {
  const std::size_t end = bytes.find('\r');
  return end != std::string_view::npos && end + 1 < bytes.size() &&
         bytes.find('\n') == std::string_view::npos && is_utf8(bytes.substr(0, end));
}

/// `sep=;` tells Excel the delimiter, and is no record.
bool begins_for_excel(std::string_view bytes) {
  bytes = without_mark(bytes);
  const std::string_view line = bytes.substr(0, bytes.find_first_of("\r\n"));
  return line.size() == 5 && line.starts_with("sep=");
}

/// `[ {`: most programs write JSON so.
bool is_json_array(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t bracket = bytes.find_first_not_of(blanks);
  if (bracket == std::string_view::npos || bytes[bracket] != '[') return false;
  const std::size_t next = bytes.find_first_not_of(blanks, bracket + 1);
  return next != std::string_view::npos && bytes[next] == '{';
}

/// Which of two orders of bytes a text in UTF-16 has, if most characters are of ASCII; empty: another text.
std::string_view order_without_mark(std::string_view bytes) {
  constexpr std::size_t few = 1024;
  std::array<std::size_t, 2> nuls{};  // at even and at odd places
  const std::string_view first = bytes.substr(0, few);
  for (std::size_t k = 0; k < first.size(); ++k) nuls[k % 2] += first[k] == '\0' ? 1 : 0;
  const std::size_t most = first.size() / 3;
  if (nuls[0] == 0 && nuls[1] > most) return "UTF-16LE";
  return nuls[1] == 0 && nuls[0] > most ? "UTF-16BE" : "";
}

}  // namespace

std::string other_unicode(std::string_view first_bytes) {
  constexpr std::string_view small_32("\xff\xfe\0\0", 4);
  constexpr std::string_view big_32("\0\0\xfe\xff", 4);
  if (first_bytes.starts_with(small_32) || first_bytes.starts_with(big_32))
    return "text in UTF-32: convert it to UTF-8 first (iconv -f UTF-32 -t UTF-8)";
  if (!first_bytes.starts_with("\xff\xfe") && !first_bytes.starts_with("\xfe\xff")) return "";
  return "text in UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)";
}

std::string unreadable(std::string_view first_bytes) {
  if (std::string why = other_unicode(first_bytes); !why.empty()) return why;
  for (const auto& [magic, name] : magics) {
    if (!first_bytes.starts_with(magic)) continue;
    return fmt::format("packed with {}: unpack it first (gzip and zstd are read as they are)", name);
  }
  if (is_json_array(first_bytes)) return "an array of JSON: write one object per line first (jq -c '.[]')";
  if (begins_for_excel(first_bytes)) {
    return "the first line, sep=, is for Excel alone: leave it out (tail -n +2)";
  }
  if (is_tar(first_bytes)) return "an archive of tar: unpack it first, and give the files in it";
  if (has_lines_of_old_macs(first_bytes)) {
    return "lines that end with a carriage return alone: convert them first (tr '\\r' '\\n')";
  }
  // A single bad line of a text is told with its place.
  const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
  const bool begins_as_text = is_utf8(line) && line.find('\0') == std::string_view::npos;
  if (!begins_as_text && first_bytes.find('\0') != std::string_view::npos && !is_recognized(first_bytes)) {
    if (const std::string_view order = order_without_mark(first_bytes); !order.empty()) {
      return fmt::format("text in UTF-16 without a mark: convert it to UTF-8 first (iconv -f {} -t UTF-8)",
                         order);
    }
    return "bytes that are neither text nor a known format: name the format with `format`";
  }
  return "";
}

}  // namespace askfew

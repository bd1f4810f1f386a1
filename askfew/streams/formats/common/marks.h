#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace askfew {

/// Positions in a text, found 64 bytes at a time with the widest registers of the machine. There is one class
/// per kind of text; objects are reused and then allocate nothing.
///
/// REQUIRES: 64 bytes after a text may be read, whatever they contain.
using Position = std::uint32_t;

/// The most bytes that are examined in one call: the positions found in them fit the second-level cache.
constexpr std::size_t max_marked = std::size_t{1} << 17;
/// So many positions after the last position may be read as well. They are positions of the text.
constexpr std::size_t spare_marks = 64;

/// A line without its line end, between its marks.
struct MarkedLine {
  const char* text = nullptr;  ///< positions count from here
  std::string_view bytes;
  const Position* ends = nullptr;  ///< of its tokens; the last one is the end of the line
  std::size_t end_count = 0;
  const Position* colons = nullptr;
  std::size_t colon_count = 0;
};

/// Where the tokens of lines with pairs `index:value` or `name:value` end.
class PairMarks {
 public:
  PairMarks();

  /// Finds marks in the beginning of a text, up to `max_marked` bytes: ends of tokens are blanks, tabs, line
  /// ends and this character.
  void find(std::string_view text, char another_end);

  /// Calls read(line) for the lines that end within the examined bytes, and returns the number of their
  /// bytes, including line ends; nothing if `read` has returned false.
  template <class Read>
  std::optional<std::size_t> for_each_line(Read&& read) {
    Counts before{};
    std::size_t begin = 0;
    for (std::size_t k = 0; k < line_count_; ++k) {
      const Counts found = lines_[k];
      Position& end = ends_[found.ends];
      const std::size_t past = std::size_t{end} + 1;
      std::string_view bytes(text_ + begin, end - begin);
      if (!bytes.empty() && bytes.back() == '\r') bytes.remove_suffix(1);
      end = static_cast<Position>(begin + bytes.size());
      if (!read(MarkedLine{.text = text_,
                           .bytes = bytes,
                           .ends = ends_.get() + before.ends,
                           .end_count = found.ends + 1 - before.ends,
                           .colons = colons_.get() + before.colons,
                           .colon_count = found.colons - before.colons})) {
        return std::nullopt;
      }
      before = {.ends = found.ends + 1, .colons = found.colons};
      begin = past;
    }
    return begin;
  }

  /// The numbers of ends and colons before the end of a line.
  struct Counts {
    std::uint32_t ends;
    std::uint32_t colons;
  };

 private:
  const char* text_ = nullptr;
  std::unique_ptr<Position[]> ends_;
  std::unique_ptr<Position[]> colons_;
  std::unique_ptr<Counts[]> lines_;
  std::size_t line_count_ = 0;
};

/// Calls read(line) for the lines of a text as long as it returns true, with their marks; and read_unmarked
/// for a very long line, and for a last line without a line end.
template <class Read, class ReadUnmarked>
void for_each_marked_line(PairMarks& marks, std::string_view text, char another_end, Read&& read,
                          ReadUnmarked&& read_unmarked) {
  while (!text.empty()) {
    marks.find(text, another_end);
    const std::optional<std::size_t> done = marks.for_each_line(read);
    if (!done) return;
    text.remove_prefix(*done);
    if (*done > 0) continue;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!read_unmarked(line)) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Where the fields of a table end: at delimiters and ends of lines.
class FieldMarks {
 public:
  FieldMarks();

  /// As above.
  void find(std::string_view text, char delimiter);

  [[nodiscard]] const Position* marks() const { return marks_.get(); }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The marks that are ends of lines, by their number.
  [[nodiscard]] const std::uint32_t* lines() const { return lines_.get(); }
  [[nodiscard]] std::size_t line_count() const { return line_count_; }

 private:
  std::unique_ptr<Position[]> marks_;
  std::unique_ptr<std::uint32_t[]> lines_;
  std::size_t count_ = 0;
  std::size_t line_count_ = 0;
};

}  // namespace askfew

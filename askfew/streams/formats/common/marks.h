#pragma once

#include <cstdint>
#include <memory>
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

/// Where the tokens of `label index:value ...` lines end.
class PairMarks {
 public:
  /// A line: the numbers of ends and colons before its end.
  struct Line {
    std::uint32_t ends;
    std::uint32_t colons;
  };

  PairMarks();

  /// Examines the beginning of a text, up to `max_marked` bytes.
  void find(std::string_view text);

  /// Positions of blanks, tabs and line ends.
  [[nodiscard]] Position* ends() { return ends_.get(); }
  [[nodiscard]] const Position* colons() const { return colons_.get(); }
  /// The lines that end within the examined bytes.
  [[nodiscard]] const Line* lines() const { return lines_.get(); }
  [[nodiscard]] std::size_t line_count() const { return line_count_; }

 private:
  std::unique_ptr<Position[]> ends_;
  std::unique_ptr<Position[]> colons_;
  std::unique_ptr<Line[]> lines_;
  std::size_t line_count_ = 0;
};

/// Where words end: blanks, tabs, ends of lines, colons and bars.
class WordMarks {
 public:
  WordMarks();

  /// As above.
  void find(std::string_view text);

  [[nodiscard]] const Position* begin() const { return marks_.get(); }
  [[nodiscard]] const Position* end() const { return marks_.get() + count_; }

 private:
  std::unique_ptr<Position[]> marks_;
  std::size_t count_ = 0;
};

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

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace askfew {

/// Positions in a text, found 64 bytes at a time with the widest registers that the machine has. Each kind of
/// text has the marks that it needs; both are used again and again and allocate nothing.
///
/// REQUIRES: 64 bytes behind a text may be read, whatever they hold.
using Position = std::uint32_t;

/// The most bytes that are looked at in one go: what is found in them fits the second-level cache.
constexpr std::size_t max_marked = std::size_t{1} << 17;
/// So many positions behind the last one may be read, too. They are ones of the text.
constexpr std::size_t spare_marks = 64;

/// Where the tokens of `label index:value ...` lines end.
class PairMarks {
 public:
  /// A line: how many of the ends and of the colons lie before its end.
  struct Line {
    std::uint32_t ends;
    std::uint32_t colons;
  };

  PairMarks();

  /// Looks at the beginning of a text, up to `max_marked` bytes.
  void find(std::string_view text);

  /// Blanks, tabs and ends of lines.
  [[nodiscard]] Position* ends() { return ends_.get(); }
  [[nodiscard]] const Position* colons() const { return colons_.get(); }
  /// Of the lines that end in what was looked at.
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

}  // namespace askfew

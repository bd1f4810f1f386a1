#pragma once

#include <memory>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/marks.h"
#include "askfew/streams/formats/vw/vw_line.h"

namespace askfew {

/// Reads Vowpal Wabbit's text fast: the marks of many lines at once, names hashed where they stand, the
/// values of a line several at a time. Lines that are not of the usual form, and with them all that are
/// malformed, are left to `read_vw_line`.
class VwParser final : public Parser {
 public:
  explicit VwParser(const VwHash& hash);

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// Where a line of a text lies, without its end.
  struct Line {
    const char* text = nullptr;
    Position begin = 0;
    Position end = 0;
    [[nodiscard]] std::string_view bytes() const { return {text + begin, end - begin}; }
  };
  /// Features from here on have this weight.
  struct Weighed {
    std::size_t begin = 0;
    double weight = 1;
  };

  /// `mark` is the first of the line, and goes on to that of the next. False if the line is malformed and
  /// that ends the chunk.
  [[nodiscard]] bool read_line(const Line& line, const Position*& mark, ParsedChunk& out);
  /// False if the line is not of the usual form; `mark` is then somewhere on it. What was read in vain is to
  /// be taken back.
  [[nodiscard]] bool read_fast(const Line& line, const Position*& mark, ParsedChunk& out);
  [[nodiscard]] bool read_namespaces(const Line& line, const Position*& mark);
  [[nodiscard]] bool read_all_values(const char* text);
  [[nodiscard]] bool apply_weights();
  [[nodiscard]] bool read_carefully(std::string_view line, ParsedChunk& out);
  void end_example(double importance, ParsedChunk& out);

  VwHash hash_;
  WordMarks marks_;
  FeatureSums sums_;
  // Of the features with a value: where it lies, and which of the features they are.
  std::size_t valued_ = 0;
  std::unique_ptr<Position[]> colons_;
  std::unique_ptr<Position[]> ends_;
  std::unique_ptr<std::uint32_t[]> places_;
  std::vector<double> values_;
  std::vector<Weighed> weighed_;
};

}  // namespace askfew

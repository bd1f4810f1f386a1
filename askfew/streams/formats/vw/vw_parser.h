#pragma once

#include <memory>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/marks.h"
#include "askfew/streams/formats/vw/vw_line.h"

namespace askfew {

/// Reads Vowpal Wabbit's text fast: finds the marks of many lines at once, hashes names in place, and reads
/// the values of a line several at a time. `read_vw_line` reads lines with an unusual form, including all
/// malformed lines.
class VwParser final : public Parser {
 public:
  explicit VwParser(const VwHash& hash);

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// The place of a line in a text, without its line end.
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

  /// `mark` is the first mark of the line, and moves to the first mark of the next line. False if the line is
  /// malformed and ends the chunk.
  [[nodiscard]] bool read_line(const Line& line, const Position*& mark, ParsedChunk& out);
  /// False if the line has an unusual form; `mark` is then somewhere on the line. Then the caller must remove
  /// what was read.
  [[nodiscard]] bool read_fast(const Line& line, const Position*& mark, ParsedChunk& out);
  [[nodiscard]] bool read_namespaces(const Line& line, const Position*& mark);
  void add_named(const char* text, std::uint64_t seed);
  [[nodiscard]] bool read_all_values(const char* text);
  [[nodiscard]] bool apply_weights();
  [[nodiscard]] bool read_carefully(std::string_view line, ParsedChunk& out);
  void end_example(double importance, ParsedChunk& out);

  VwHash hash_;
  WordMarks marks_;
  FeatureSums sums_;
  // Features of a namespace: their names.
  std::size_t named_ = 0;
  std::unique_ptr<Position[]> before_names_;
  std::unique_ptr<Position[]> name_ends_;
  // Features with a value: the place of the value, and the index of the feature.
  std::size_t valued_ = 0;
  std::unique_ptr<Position[]> colons_;
  std::unique_ptr<Position[]> ends_;
  std::unique_ptr<std::uint32_t[]> places_;
  std::vector<double> values_;
  std::vector<Weighed> weighed_;
};

}  // namespace askfew

#pragma once

#include <memory>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/marks.h"
#include "askfew/streams/formats/vw/vw_line.h"

namespace askfew {

/// Reads Vowpal Wabbit's text fast: finds the marks of many lines at once, then hashes the names and reads
/// the values of a namespace several at a time. `read_vw_line` reads lines with an unusual form, including
/// all malformed lines.
class VwParser final : public Parser {
 public:
  explicit VwParser(const VwHash& hash);

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// The words of a namespace after its name: word k lies between ends[k] and ends[k + 1].
  struct Words {
    const char* text = nullptr;
    const Position* ends = nullptr;
    std::size_t count = 0;
    const Position* colons = nullptr;
    std::size_t colon_count = 0;
    std::uint64_t seed = 0;
  };

  /// False if the line is malformed and ends the chunk.
  [[nodiscard]] bool read_line(const MarkedLine& line, ParsedChunk& out);
  /// False if the line has an unusual form. Then the caller must remove what was read.
  [[nodiscard]] bool read_fast(const MarkedLine& line, ParsedChunk& out);
  /// Reads the namespace between two bars, the second of which may be the end of the line.
  [[nodiscard]] bool read_namespace(const char* text, const Position* bar, const Position* next_bar,
                                    const Position* colons, std::size_t colon_count);
  [[nodiscard]] bool read_pairs(const Words& words);
  /// Words with and without values, and several blanks between them.
  [[nodiscard]] bool read_mixed(const Words& words);
  [[nodiscard]] bool read_carefully(std::string_view line, ParsedChunk& out);
  void end_example(double importance, ParsedChunk& out);

  VwHash hash_;
  PairMarks marks_;
  FeatureSums sums_;
  // Mixed words: their names, and the values that some of them have.
  std::unique_ptr<Position[]> before_names_;
  std::unique_ptr<Position[]> name_ends_;
  std::unique_ptr<Position[]> colons_;
  std::unique_ptr<Position[]> ends_;
  std::unique_ptr<std::uint32_t[]> places_;  // the word of a value
  std::vector<double> values_;
};

}  // namespace askfew

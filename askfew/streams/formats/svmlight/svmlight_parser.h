#pragma once

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/pairs.h"
#include "askfew/streams/formats/svmlight/svmlight_line.h"

namespace askfew {

/// Reads svmlight text fast: the marks of many lines at once, then the pairs of a line several at a time.
/// Lines that are not of the usual form, and with them all that are malformed, are left to
/// `read_svmlight_line`.
class SvmlightParser final : public Parser {
 public:
  explicit SvmlightParser(const SvmlightIndices& indices) : indices_(indices) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// A line without its end, between its marks.
  struct Line {
    std::string_view bytes;
    PairTokens tokens;
    std::size_t ends = 0;  // of tokens
  };

  /// Reads the line whose end is mark `k`, and goes on behind it; false if it is malformed and that ends the
  /// chunk.
  [[nodiscard]] bool read_line(const Line& line, ParsedChunk& out) const;
  /// False if the line is not of the usual form. What was read in vain is to be taken back.
  [[nodiscard]] bool read_fast(const Line& line, Examples& block) const;
  [[nodiscard]] bool read_features(const PairTokens& tokens, Examples& block) const;
  [[nodiscard]] bool read_carefully(std::string_view line, ParsedChunk& out) const;

  SvmlightIndices indices_;
  PairMarks marks_;
};

}  // namespace askfew

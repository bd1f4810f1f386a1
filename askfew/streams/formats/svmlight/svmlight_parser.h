#pragma once

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/pairs.h"
#include "askfew/streams/formats/svmlight/svmlight_line.h"

namespace askfew {

/// Reads svmlight text fast: finds the marks of many lines at once, then reads the pairs of a line several at
/// a time. `read_svmlight_line` reads lines with an unusual form, including all malformed lines.
class SvmlightParser final : public Parser {
 public:
  explicit SvmlightParser(const SvmlightIndices& indices) : indices_(indices) {}

  void parse(const Chunk& chunk, ParsedChunk& out) override;

 private:
  /// False if the line is malformed and ends the chunk.
  [[nodiscard]] bool read_line(const MarkedLine& line, ParsedChunk& out) const;
  /// False if the line has an unusual form. Then the caller must remove what was read.
  [[nodiscard]] bool read_fast(const MarkedLine& line, Examples& block) const;
  [[nodiscard]] bool read_features(const PairTokens& tokens, Examples& block) const;
  [[nodiscard]] bool read_carefully(std::string_view line, ParsedChunk& out) const;

  SvmlightIndices indices_;
  PairMarks marks_;
};

}  // namespace askfew

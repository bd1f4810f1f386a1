#include "askfew/streams/formats/svmlight/svmlight_parser.h"

#include "askfew/streams/formats/common/integer_labels.h"

namespace askfew {
namespace {

using Index = FeatureView::Index;

std::size_t without_zeros(std::size_t count, const Examples::Room& features) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    features.indices[kept] = features.indices[k];
    features.values[kept] = features.values[k];
    kept += features.values[k] != 0 ? 1 : 0;
  }
  return kept;
}

}  // namespace

void SvmlightParser::parse(const Chunk& chunk, ParsedChunk& out) {
  for_each_marked_line(
      marks_, chunk.bytes, '\n', [&](const MarkedLine& line) { return read_line(line, out); },
      [&](std::string_view line) { return read_carefully(line, out); });
}

bool SvmlightParser::read_line(const MarkedLine& line, ParsedChunk& out) const {
  out.examples.begin(out.lines + 1);
  if (read_fast(line, out.examples)) {
    ++out.lines;
    return true;
  }
  out.examples.abandon();
  return read_carefully(line.bytes, out);
}

bool SvmlightParser::read_carefully(std::string_view line, ParsedChunk& out) const {
  return parse_line(line, out, [&](std::string_view bytes, Examples& block) {
    return read_svmlight_line(bytes, indices_, block);
  });
}

bool SvmlightParser::read_fast(const MarkedLine& line, Examples& block) const {
  PairTokens tokens{.text = line.text, .ends = line.ends, .colons = line.colons, .count = line.colon_count};
  if (tokens.count == 0) return false;
  // There is one end after the labels and one after each pair, and perhaps a blank before the line end.
  const Position* last = tokens.ends + tokens.count;
  const bool blank_at_end = line.end_count == tokens.count + 2 && last[0] + 1 == last[1];
  if (line.end_count != tokens.count + 1 && !blank_at_end) return false;
  Cursor cursor(line.bytes);
  if (!read_labels(cursor, block)) return false;
  if (tokens.text[tokens.ends[0] + 1] == 'q') {
    cursor.skip_blanks();
    if (!cursor.rest().starts_with("qid:") || !pass_over_qid(cursor)) return false;
    ++tokens.ends;
    ++tokens.colons;
    --tokens.count;
  }
  return read_features(tokens, block);
}

bool SvmlightParser::read_features(const PairTokens& tokens, Examples& block) const {
  const Examples::Room out = block.room_for(tokens.count + pair_slack);
  const Index base = indices_.base - block.shift();
  const double squares = block.bias() * block.bias();
  const PairsRead read = read_pairs(tokens, base, squares, out);
  if (!read.usual || !ascend(out.indices, tokens.count)) return false;
  const auto in_range = [&](Index index) { return index - block.shift() < indices_.limit(); };
  if (tokens.count > 0 && !(in_range(out.indices[0]) && in_range(out.indices[tokens.count - 1])))
    return false;
  block.added(read.has_zero ? without_zeros(tokens.count, out) : tokens.count);
  block.end_sparse(read.squared_norm);
  return true;
}

}  // namespace askfew

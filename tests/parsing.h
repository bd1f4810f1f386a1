#pragma once

// Compares parsers without files and threads.

#include <algorithm>
#include <string>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/svmlight/svmlight_line.h"
#include "askfew/streams/formats/vw/vw_line.h"

namespace askfew::test {

/// All examples that parse(chunk, out) reads from a text; malformed lines are kept as errors, and parsing
/// continues.
template <class Parse>
ParsedChunk parsed(std::string_view text, double bias, Parse&& parse) {
  const std::string around(Chunk::padding, ':');
  const std::string padded = around + std::string(text) + around;
  ParsedChunk out;
  out.skips_malformed = true;
  out.examples.set_bias(bias);
  parse(Chunk{.bytes = std::string_view(padded).substr(Chunk::padding, text.size())}, out);
  return out;
}

/// Reads every line of svmlight text with the careful reader.
inline ParsedChunk careful_svmlight(std::string_view text, const SvmlightIndices& indices, double bias) {
  return parsed(text, bias, [&](const Chunk& chunk, ParsedChunk& out) {
    parse_lines(chunk, out, [&](std::string_view line, Examples& block) {
      return read_svmlight_line(line, indices, block);
    });
  });
}

/// Reads every line of Vowpal Wabbit's text with the careful reader.
inline ParsedChunk careful_vw(std::string_view text, const VwHash& hash, double bias) {
  return parsed(text, bias, [&](const Chunk& chunk, ParsedChunk& out) {
    FeatureSums sums(hash.bits());
    std::string_view rest = chunk.bytes;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      out.examples.begin(++out.lines);
      sums.clear();
      auto importance = read_vw_line(line, hash, sums, out.examples);
      if (importance && *importance) {
        sums.finish(out.examples);
        out.weighted += **importance != 1 ? 1 : 0;
        continue;
      }
      out.examples.abandon();
      if (importance) continue;
      importance.error().line = out.lines;
      static_cast<void>(out.fail(std::move(importance.error())));
    }
  });
}

/// Expects the same examples to the bit, with the same norms, and the same errors.
inline bool same(const ParsedChunk& a, const ParsedChunk& b) {
  const auto same_row = [&](std::size_t row) {
    const FeatureView x = a.examples.x(row);
    const FeatureView y = b.examples.x(row);
    return a.examples.line(row) == b.examples.line(row) && x.squared_norm() == y.squared_norm() &&
           std::ranges::equal(a.examples.labels(row), b.examples.labels(row)) && x.size() == y.size() &&
           std::equal(x.indices(), x.indices() + x.size(), y.indices()) &&
           std::equal(x.values(), x.values() + x.size(), y.values());
  };
  const auto same_error = [](const ParseError& e, const ParseError& f) {
    return e.line == f.line && e.column == f.column && e.why == f.why;
  };
  if (a.lines != b.lines || a.weighted != b.weighted || a.examples.size() != b.examples.size()) return false;
  for (std::size_t row = 0; row < a.examples.size(); ++row) {
    if (!same_row(row)) return false;
  }
  return std::equal(a.errors.begin(), a.errors.end(), b.errors.begin(), b.errors.end(), same_error);
}

}  // namespace askfew::test

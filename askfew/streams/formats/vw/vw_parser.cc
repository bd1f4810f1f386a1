#include "askfew/streams/formats/vw/vw_parser.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "askfew/streams/formats/common/pairs.h"

namespace askfew {
namespace {

std::unique_ptr<Position[]> room_for_marks() {
  return std::make_unique_for_overwrite<Position[]>(max_marked + spare_marks);
}

/// The text between two marks.
std::string_view between(const char* text, Position before, Position end) {
  return {text + before + 1, end - before - 1};
}

bool read_weight(std::string_view word, double& value) {
  const char* end = word.data() + word.size();
  const auto [past, error] = fast_float::from_chars(word.data(), end, value);
  return error == std::errc{} && past == end && std::isfinite(value);
}

/// The mark of the next bar after a mark; the last mark if there is none.
const Position* next_bar_of(const char* text, const Position* mark, const Position* last) {
  const void* const found = std::memchr(text + *mark + 1, '|', *last - *mark - 1);
  if (found == nullptr) return last;
  return std::lower_bound(mark, last, static_cast<Position>(static_cast<const char*>(found) - text));
}

}  // namespace

VwParser::VwParser(const VwHash& hash)
    : hash_(hash),
      sums_(hash.bits()),
      before_names_(room_for_marks()),
      name_ends_(room_for_marks()),
      colons_(room_for_marks()),
      ends_(room_for_marks()),
      places_(std::make_unique_for_overwrite<std::uint32_t[]>(max_marked)) {}

void VwParser::parse(const Chunk& chunk, ParsedChunk& out) {
  for_each_marked_line(
      marks_, chunk.bytes, '|', [&](const MarkedLine& line) { return read_line(line, out); },
      [&](std::string_view line) { return read_carefully(line, out); });
}

bool VwParser::read_line(const MarkedLine& line, ParsedChunk& out) {
  out.examples.begin(out.lines + 1);
  sums_.clear();
  if (read_fast(line, out)) return true;
  out.examples.abandon();
  return read_carefully(line.bytes, out);
}

bool VwParser::read_carefully(std::string_view line, ParsedChunk& out) {
  ++out.lines;
  out.examples.begin(out.lines);
  sums_.clear();
  auto importance = read_vw_line(line, hash_, sums_, out.examples);
  if (importance && *importance) {
    end_example(**importance, out);
    return true;
  }
  out.examples.abandon();
  if (importance) return true;
  importance.error().line = out.lines;
  return out.fail(std::move(importance.error()));
}

void VwParser::end_example(double importance, ParsedChunk& out) {
  sums_.finish(out.examples);
  if (importance != 1) ++out.weighted;
}

bool VwParser::read_fast(const MarkedLine& line, ParsedChunk& out) {
  const Position* const last = line.ends + line.end_count - 1;
  const Position* bar = std::find_if(line.ends, last, [&](Position at) { return line.text[at] == '|'; });
  if (bar == last) return false;
  const char* const bar_at = line.text + *bar;
  const auto importance = read_vw_head({line.bytes.data(), bar_at}, out.examples);
  if (!importance) return false;
  const Position* const colons_end = line.colons + line.colon_count;
  const Position* colons = std::find_if(line.colons, colons_end, [&](Position at) { return at > *bar; });
  while (bar != last) {
    const Position* const next = next_bar_of(line.text, bar, last);
    const Position* const past = next == last ? colons_end : std::lower_bound(colons, colons_end, *next);
    if (!read_namespace(line.text, bar, next, colons, static_cast<std::size_t>(past - colons))) return false;
    bar = next;
    colons = past;
  }
  ++out.lines;
  end_example(*importance, out);
  return true;
}

bool VwParser::read_namespace(const char* text, const Position* bar, const Position* next_bar,
                              const Position* colons, std::size_t colon_count) {
  const Position* const first = bar + 1;  // the end of the name, from which words follow
  Position name_end = *first;
  double weight = 1;
  if (colon_count > 0 && *colons < *first) {
    name_end = *colons++;
    if (name_end == *bar + 1 || !read_weight(between(text, name_end, *first), weight)) return false;
    --colon_count;
  }
  auto count = static_cast<std::size_t>(next_bar - first);
  if (count > 0 && next_bar[-1] + 1 == *next_bar) --count;  // a blank before the bar or the end
  const Words words{.text = text,
                    .ends = first,
                    .count = count,
                    .colons = colons,
                    .colon_count = colon_count,
                    .seed = VwHash::seed_of(between(text, *bar, name_end))};
  const std::size_t begin = sums_.size();
  if (!(colon_count == count ? read_pairs(words) : read_mixed(words))) return false;
  for (std::size_t k = begin; weight != 1 && k < sums_.size(); ++k) {
    double& value = sums_.values()[k];
    value *= weight;
    if (!std::isfinite(value)) return false;
  }
  return true;
}

bool VwParser::read_pairs(const Words& words) {
  const std::size_t begin = sums_.size();
  const VwHash::Names names{.before = words.ends, .ends = words.colons, .count = words.count};
  return hash_.index_all(words.text, names, words.seed, sums_.add_ones(words.count).data()) &&
         read_values(words.text, words.colons, words.ends + 1, words.count, sums_.values() + begin) ==
             words.count;
}

bool VwParser::read_mixed(const Words& words) {
  std::size_t named = 0;
  std::size_t valued = 0;
  for (std::size_t k = 0; k < words.count; ++k) {
    const Position before = words.ends[k];
    const Position end = words.ends[k + 1];
    if (before + 1 == end) continue;  // between two blanks
    const bool has_value = valued < words.colon_count && words.colons[valued] < end;
    before_names_[named] = before;
    name_ends_[named] = has_value ? words.colons[valued] : end;
    if (has_value) {
      colons_[valued] = words.colons[valued];
      ends_[valued] = end;
      places_[valued++] = static_cast<std::uint32_t>(named);
    }
    ++named;
  }
  if (valued != words.colon_count) return false;
  for (Position* const marks : {before_names_.get() + named, name_ends_.get() + named, colons_.get() + valued,
                                ends_.get() + valued}) {
    std::fill_n(marks, spare_marks, 0);
  }
  if (values_.size() < valued + pair_slack) values_.resize(2 * valued + pair_slack);
  const std::size_t begin = sums_.size();
  const VwHash::Names names{.before = before_names_.get(), .ends = name_ends_.get(), .count = named};
  if (!hash_.index_all(words.text, names, words.seed, sums_.add_ones(named).data()) ||
      read_values(words.text, colons_.get(), ends_.get(), valued, values_.data()) != valued) {
    return false;
  }
  for (std::size_t k = 0; k < valued; ++k) sums_.values()[begin + places_[k]] = values_[k];
  return true;
}

}  // namespace askfew

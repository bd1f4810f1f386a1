#include "askfew/streams/formats/vw/vw_parser.h"

#include <cmath>
#include <utility>

#include "askfew/streams/formats/common/pairs.h"

namespace askfew {
namespace {

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool read_number(std::string_view word, double& value) {
  const char* end = word.data() + word.size();
  const auto [past, error] = fast_float::from_chars(word.data(), end, value);
  return error == std::errc{} && past == end && std::isfinite(value);
}

/// The words of one line, from mark to mark.
class LineWords {
 public:
  /// Begins after a mark.
  LineWords(const char* text, const Position* mark, Position end)
      : text_(text), mark_(mark), end_(end), past_(*mark) {
    next();
  }

  void next() {
    begin_ = past_ + 1;
    past_ = std::min(*++mark_, end_);
  }
  /// Moves to the value of `name:value`, if this is what follows, and a blank after it. REQUIRES: not
  /// at_end().
  bool next_pair() {
    const Position colon = mark_[1];
    if (text_[colon] != ':' || colon == past_ + 1) return false;
    const Position value_end = mark_[2];
    if (value_end >= end_ || text_[value_end] != ' ') return false;
    begin_ = colon + 1;
    past_ = value_end;
    mark_ += 2;
    return true;
  }
  [[nodiscard]] const Position* mark() const { return mark_; }
  [[nodiscard]] Position begin() const { return begin_; }
  [[nodiscard]] Position past() const { return past_; }
  [[nodiscard]] bool empty() const { return begin_ == past_; }
  [[nodiscard]] std::string_view word() const { return {text_ + begin_, past_ - begin_}; }
  [[nodiscard]] bool at_end() const { return past_ == end_; }
  /// Does this mark follow the word?
  [[nodiscard]] bool before(char mark) const { return !at_end() && text_[past_] == mark; }

 private:
  const char* text_;
  const Position* mark_;
  Position end_;
  Position begin_ = 0;
  Position past_;
};

}  // namespace

VwParser::VwParser(const VwHash& hash)
    : hash_(hash),
      sums_(hash.bits()),
      before_names_(std::make_unique_for_overwrite<Position[]>(max_marked)),
      name_ends_(std::make_unique_for_overwrite<Position[]>(max_marked)),
      colons_(std::make_unique_for_overwrite<Position[]>(max_marked + spare_marks)),
      ends_(std::make_unique_for_overwrite<Position[]>(max_marked + spare_marks)),
      places_(std::make_unique_for_overwrite<std::uint32_t[]>(max_marked)) {}

void VwParser::parse(const Chunk& chunk, ParsedChunk& out) {
  std::string_view rest = chunk.bytes;
  while (!rest.empty()) {
    marks_.find(rest);
    const Position* mark = marks_.begin();
    std::size_t begin = 0;
    while (begin < rest.size()) {
      const std::size_t end = rest.find('\n', begin);
      if (end >= max_marked) break;  // or there is no line end
      const std::string_view line = without_return(rest.substr(begin, end - begin));
      if (!read_line({.text = rest.data(),
                      .begin = static_cast<Position>(begin),
                      .end = static_cast<Position>(begin + line.size())},
                     mark, out)) {
        return;
      }
      begin = end + 1;
    }
    if (begin == 0) {  // a very long line, or the last line without a line end
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (!read_carefully(without_return(rest.substr(0, end)), out)) return;
      begin = std::min(end + 1, rest.size());
    }
    rest.remove_prefix(begin);
  }
}

bool VwParser::read_line(const Line& line, const Position*& mark, ParsedChunk& out) {
  out.examples.begin(out.lines + 1);
  sums_.clear();
  const bool done = read_fast(line, mark, out);
  while (*mark < line.end) ++mark;
  ++mark;
  if (done) return true;
  out.examples.abandon();
  return read_carefully(line.bytes(), out);
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

bool VwParser::read_fast(const Line& line, const Position*& mark, ParsedChunk& out) {
  while (*mark < line.end && line.text[*mark] != '|') ++mark;
  if (*mark >= line.end) return false;  // no bar
  const auto importance = read_vw_head({line.text + line.begin, *mark - line.begin}, out.examples);
  if (!importance || !read_namespaces(line, mark)) return false;
  ++out.lines;
  end_example(*importance, out);
  return true;
}

bool VwParser::read_namespaces(const Line& line, const Position*& mark) {
  named_ = 0;
  valued_ = 0;
  weighed_.clear();
  LineWords words(line.text, mark, line.end);
  while (true) {
    const std::uint64_t seed = VwHash::seed_of(words.word());
    if (words.before(':')) {
      if (words.empty()) return false;
      words.next();
      double weight = 1;
      if (words.before(':') || !read_number(words.word(), weight)) return false;
      weighed_.push_back({sums_.size(), weight});
    } else if (!weighed_.empty()) {
      weighed_.push_back({sums_.size(), 1});
    }
    while (!words.at_end() && !words.before('|')) {
      while (words.next_pair()) {  // the usual form
        before_names_[named_] = words.mark()[-2];
        name_ends_[named_] = colons_[valued_] = words.begin() - 1;
        ends_[valued_] = words.past();
        places_[valued_++] = static_cast<std::uint32_t>(sums_.size() + named_++);
      }
      words.next();
      if (words.empty()) {
        if (words.before(':')) return false;
        continue;
      }
      before_names_[named_] = words.begin() - 1;
      name_ends_[named_] = words.past();
      if (words.before(':')) {
        colons_[valued_] = words.past();
        words.next();
        if (words.before(':')) return false;
        ends_[valued_] = words.past();
        places_[valued_++] = static_cast<std::uint32_t>(sums_.size() + named_);
      }
      ++named_;
    }
    add_named(line.text, seed);
    if (words.at_end()) break;
    words.next();
  }
  mark = words.mark();
  return read_all_values(line.text) && apply_weights();
}

void VwParser::add_named(const char* text, std::uint64_t seed) {
  const VwHash::Names names{.before = before_names_.get(), .ends = name_ends_.get(), .count = named_};
  hash_.index_all(text, names, seed, sums_.add_ones(named_).data());
  named_ = 0;
}

bool VwParser::read_all_values(const char* text) {
  std::fill_n(colons_.get() + valued_, spare_marks, 0);
  std::fill_n(ends_.get() + valued_, spare_marks, 0);
  const bool all = valued_ == sums_.size();
  if (!all && values_.size() < valued_ + pair_slack) values_.resize(2 * valued_ + pair_slack);
  double* values = all ? sums_.values() : values_.data();
  if (read_values(text, colons_.get(), ends_.get(), valued_, values) != valued_) return false;
  if (all) return true;
  for (std::size_t k = 0; k < valued_; ++k) sums_.values()[places_[k]] = values[k];
  return true;
}

bool VwParser::apply_weights() {
  for (std::size_t k = 0; k < weighed_.size(); ++k) {
    const std::size_t end = k + 1 < weighed_.size() ? weighed_[k + 1].begin : sums_.size();
    for (std::size_t at = weighed_[k].begin; at < end; ++at) {
      double& value = sums_.values()[at];
      value *= weighed_[k].weight;
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

}  // namespace askfew

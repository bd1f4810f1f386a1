#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "askfew/streams/stream.h"

namespace askfew {

/// Bytes of a file that are whole records; only the last chunk of a file may end in an unfinished one.
struct Chunk {
  /// So many bytes before them and behind them may be read, too, whatever they hold.
  static constexpr std::size_t padding = 64;

  std::string_view bytes;
  std::uint64_t offset = 0;  ///< of its first byte, counted from the end of the header
};

/// What a chunk holds.
struct ParsedChunk {
  Examples examples;
  std::uint64_t lines = 0;     ///< of the chunk
  std::uint64_t weighted = 0;  ///< examples with an importance other than 1, which nobody uses
  /// What is malformed, in order, as many as are told. Lines count from the chunk's first, which is 1.
  std::vector<ParseError> errors;
  std::uint64_t more_errors = 0;  ///< that are only counted
  bool skips_malformed = false;   ///< else the first ends the chunk
  /// What is wrong with the file as a whole: nobody skips it, and nothing behind it counts.
  std::optional<std::string> damage;
  std::string source;  ///< the file that the examples come from, where it is another one

  void clear() {
    examples.clear();
    lines = 0;
    weighted = 0;
    errors.clear();
    more_errors = 0;
    damage.reset();
    source.clear();
  }
  /// Notes that a record is malformed, and says whether to go on with the next one.
  [[nodiscard]] bool fail(ParseError error) {
    if (errors.size() < Skipped::max_shown) {
      errors.push_back(std::move(error));
    } else {
      ++more_errors;
    }
    return skips_malformed;
  }
};

/// Reads chunks; one a thread, so that it may keep scratch room.
class Parser {
 public:
  Parser() = default;
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  Parser(Parser&&) = delete;
  Parser& operator=(Parser&&) = delete;
  virtual ~Parser() = default;

  /// REQUIRES: `out` is clear.
  virtual void parse(const Chunk& chunk, ParsedChunk& out) = 0;
};

/// Behind the last such character, 0 if there is none.
inline std::size_t last_of(char c, std::string_view bytes) {
  const void* const found = memrchr(bytes.data(), c, bytes.size());
  return found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) + 1;
}

/// Behind the last of several marks, each of which ends a record; 0 if there is none. As
/// `Format::whole_records`.
std::size_t past_last(std::initializer_list<std::string_view> marks, std::string_view bytes,
                      std::size_t& looked_at);

/// A file format, after the header of a file was read: how the rest is cut into records and parsed. Chunks of
/// a file are parsed at the same time, in any order.
class Format {
 public:
  Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  Format(Format&&) = delete;
  Format& operator=(Format&&) = delete;
  virtual ~Format() = default;

  /// How many of these bytes, which begin with a record, are whole records; 0 if not even one is. As more
  /// bytes come, they are not all looked at again: those before `looked_at`, which is 0 at first, need not
  /// be, and it is moved up as long as the answer is 0. As it stands, a record is a line.
  [[nodiscard]] virtual std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const {
    const std::size_t from = std::exchange(looked_at, bytes.size());
    const std::size_t end = last_of('\n', bytes.substr(from));
    return end == 0 ? 0 : from + end;
  }
  /// May the last record of a file be unfinished without being malformed, as a line may have no end there?
  [[nodiscard]] virtual bool last_may_have_no_end() const { return true; }
  [[nodiscard]] virtual std::unique_ptr<Parser> parser() const = 0;
  /// How many bytes of memory one of a record may take at most while it becomes an example.
  [[nodiscard]] virtual std::size_t memory_a_byte() const { return 24; }
  /// What is wrong with a file that ends after so many bytes behind its header, or an empty text.
  [[nodiscard]] virtual std::string wrong_at_end(std::uint64_t /*bytes*/) const { return ""; }

  /// May chunks be read where the system keeps the file? Then a parser reads no byte beside them.
  [[nodiscard]] virtual bool is_read_in_place() const { return false; }

  /// Lines of the header; nothing for a format that has no lines.
  [[nodiscard]] virtual std::uint64_t header_lines() const { return 0; }
  [[nodiscard]] virtual bool has_lines() const { return true; }

  /// Where the examples come from, if not from the file that is read.
  [[nodiscard]] virtual std::vector<Origin> origins() const { return {}; }

  // As in Stream. Names may be added from several threads at the same time.
  virtual Examples::LabelId label_id(std::string_view name) = 0;
  [[nodiscard]] virtual std::string label_name(Examples::LabelId id) const = 0;
  [[nodiscard]] virtual LabelKind label_kind() const = 0;
  [[nodiscard]] virtual std::vector<std::string> some_labels() const { return {}; }
  [[nodiscard]] virtual FeatureView::Index dimension() const { return 0; }
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  [[nodiscard]] virtual const TableSchema* table() const { return nullptr; }
};

/// Calls read(line, examples) for the next line of a chunk, given without its end. `read` returns whether the
/// line holds an example, which is begun and ended here; if it fails, what it added is taken back. Returns
/// whether to go on with the next line.
template <class Read>
[[nodiscard]] bool parse_line(std::string_view line, ParsedChunk& out, Read&& read) {
  ++out.lines;
  out.examples.begin(out.lines);
  tl::expected<bool, ParseError> example = read(line, out.examples);
  if (example && *example) {
    out.examples.end_sparse();
    return true;
  }
  out.examples.abandon();
  if (example) return true;
  example.error().line = out.lines;
  return out.fail(std::move(example.error()));
}

/// The same for every line of a chunk; lines end with \n or \r\n.
template <class Read>
void parse_lines(const Chunk& chunk, ParsedChunk& out, Read&& read) {
  std::string_view rest = chunk.bytes;
  bool goes_on = true;
  while (goes_on && !rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    goes_on = parse_line(line, out, read);
  }
}

}  // namespace askfew

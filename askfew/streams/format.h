#pragma once

// What a file format consists of: a format, its parsers and their chunks.

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

/// Bytes of a file that form complete records; only the last chunk of a file may end in an incomplete record.
struct Chunk {
  /// So many bytes before and after the chunk may be read as well, whatever they contain.
  static constexpr std::size_t padding = 64;

  std::string_view bytes;
  std::uint64_t offset = 0;  ///< offset of the first byte, counted from the end of the header
};

/// The parsed content of a chunk.
struct ParsedChunk {
  Examples examples;
  std::uint64_t lines = 0;           ///< number of lines of the chunk
  std::uint64_t weighted = 0;        ///< examples with an importance other than 1 (importances are not used)
  std::uint64_t unlabelled = 0;      ///< examples that were left out because they have no label
  std::uint64_t not_utf8 = 0;        ///< examples with a text that is not UTF-8
  std::uint64_t first_not_utf8 = 0;  ///< the line of the first of them
  /// The malformed records, in order, up to the number that is reported. Lines count from the chunk's first
  /// line, which is 1.
  std::vector<ParseError> errors;
  std::uint64_t more_errors = 0;  ///< further errors, which are only counted
  bool skips_malformed = false;   ///< false: the first malformed record ends the chunk
  /// An error of the whole file: it cannot be skipped, and nothing after it counts.
  std::optional<std::string> damage;
  std::string source;  ///< the original file of the examples, if not the file that is read

  void clear() {
    examples.clear();
    lines = 0;
    weighted = 0;
    unlabelled = 0;
    not_utf8 = 0;
    first_not_utf8 = 0;
    errors.clear();
    more_errors = 0;
    damage.reset();
    source.clear();
  }
  /// Counts an example whose text is not UTF-8, and which is read all the same.
  void count_not_utf8(std::uint64_t line) {
    if (not_utf8++ == 0) first_not_utf8 = line;
  }
  /// Records that a record is malformed; returns whether to continue with the next record.
  [[nodiscard]] bool fail(ParseError error) {
    if (errors.size() < Skipped::max_shown) {
      errors.push_back(std::move(error));
    } else {
      ++more_errors;
    }
    return skips_malformed;
  }
};

/// Parses chunks. Each thread has its own parser, so that a parser may keep scratch memory.
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

/// The position after the last such character; 0 if there is none.
inline std::size_t last_of(char c, std::string_view bytes) {
  const void* const found = memrchr(bytes.data(), c, bytes.size());
  return found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data()) + 1;
}

/// The position after the last of several marks that end a record; 0 if there is none. As
/// `Format::whole_records`.
std::size_t past_last(std::initializer_list<std::string_view> marks, std::string_view bytes,
                      std::size_t& looked_at);

/// The number of lines that are not blank; with `comment`, up to this character.
std::uint64_t lines_with_content(std::string_view lines, char comment = '\n');

/// A file format, after the header of a file was read: how to cut the rest into records and parse them.
/// Chunks of a file are parsed at the same time, in any order.
class Format {
 public:
  Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  Format(Format&&) = delete;
  Format& operator=(Format&&) = delete;
  virtual ~Format() = default;

  /// The number of bytes in complete records; 0 if not even one is complete. `bytes` begins with a record.
  /// When more bytes come, bytes before `looked_at` need not be examined again; `looked_at` starts at 0 and
  /// moves up as long as the result is 0. By default, a record is a line.
  [[nodiscard]] virtual std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const {
    const std::size_t from = std::exchange(looked_at, bytes.size());
    const std::size_t end = last_of('\n', bytes.substr(from));
    return end == 0 ? 0 : from + end;
  }
  /// May the last record of a file be incomplete without being malformed, as a last line without a line end?
  [[nodiscard]] virtual bool last_may_have_no_end() const { return true; }
  [[nodiscard]] virtual std::unique_ptr<Parser> parser() const = 0;
  /// The number of examples in complete records, if none of them is malformed or left out; nothing if only a
  /// parser can tell.
  [[nodiscard]] virtual std::optional<std::uint64_t> examples_in(std::string_view /*records*/) const {
    return std::nullopt;
  }
  /// An upper bound of the memory, in bytes per byte of a record, for turning a record into an example.
  [[nodiscard]] virtual std::size_t memory_per_byte() const { return 24; }
  /// The error of a file that ends so many bytes after its header, or an empty text.
  [[nodiscard]] virtual std::string wrong_at_end(std::uint64_t /*bytes*/) const { return ""; }

  /// May chunks be read from the mapped file? Then a parser must not read bytes outside a chunk.
  [[nodiscard]] virtual bool is_read_in_place() const { return false; }

  /// Number of header lines; 0 for a format without lines.
  [[nodiscard]] virtual std::uint64_t header_lines() const { return 0; }
  [[nodiscard]] virtual bool has_lines() const { return true; }

  /// The facts of a stream, but without a constant among the features. The origins are empty if the examples
  /// come from the file that is read.
  [[nodiscard]] const StreamFacts& facts() const { return facts_; }

  // As in Stream. Several threads may add names at the same time.
  virtual Examples::LabelId label_id(std::string_view name) = 0;
  [[nodiscard]] virtual std::string label_name(Examples::LabelId id) const = 0;
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

 protected:
  /// Called by the constructor.
  void set_facts(StreamFacts facts) { facts_ = std::move(facts); }

 private:
  StreamFacts facts_;
};

/// Calls read(line, examples) for the next line of a chunk, without its line end. `read` returns whether the
/// line contains an example. This function begins and ends the example; if `read` fails, its additions are
/// removed. Returns whether to continue with the next line.
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

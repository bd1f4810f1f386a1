#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace askfew {

/// How a CSV file separates its fields (RFC 4180): by a delimiter, or by runs of blanks if the delimiter is a
/// space. A field in quotes may contain delimiters and line ends; a quote inside such a field is doubled.
/// Blanks around a field are not part of the field. A quote inside a field without quotes is an ordinary
/// character.
class CsvDialect {
 public:
  /// A quote that is not closed within so many bytes is malformed, and affects only its own line: it must not
  /// swallow the rest of the file.
  static constexpr std::size_t max_quoted = std::size_t{1} << 20;

  explicit CsvDialect(char delimiter) : delimiter_(delimiter) {}

  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] bool parts_by_blanks() const { return delimiter_ == ' '; }
  [[nodiscard]] bool is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

  /// The number of bytes in complete records; `bytes` begins with a record. As `Format::whole_records`.
  [[nodiscard]] std::size_t whole_records(std::string_view bytes, std::size_t& looked_at) const;
  /// The end of the first record, after its line end; the end of all bytes if there is no line end.
  [[nodiscard]] std::size_t first_record(std::string_view bytes) const;
  /// The position after the closing quote of the quote at the beginning; nothing if it is not closed.
  [[nodiscard]] static std::optional<std::size_t> past_quoted(std::string_view bytes);

 private:
  [[nodiscard]] bool begins_field(std::string_view bytes, std::size_t quote) const;

  char delimiter_;
};

/// Reads the fields of complete records, one after the other.
class CsvCursor {
 public:
  enum class Next : std::uint8_t { field, record_end, neither };

  CsvCursor(const CsvDialect& dialect, std::string_view bytes)
      : dialect_(dialect), at_(bytes.data()), end_(at_ + bytes.size()) {}

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool at_record_end() const { return is_record_end(at_); }
  void skip_blanks() {
    while (at_ != end_ && dialect_.is_blank(*at_)) ++at_;
  }
  /// Moves after the line end at this position, if there is one.
  void end_record();
  void go_to(const char* place) { at_ = place; }

  /// Reads a finite number that is a whole field, without quotes and blanks; otherwise reads nothing.
  bool number(double& value);
  /// The field that begins here, without quotes and blanks; valid until the next field. Nothing if its quote
  /// is not closed.
  std::optional<std::string_view> field();
  /// After a field: moves to the next field, or to the end of the record.
  Next next() {
    if (dialect_.parts_by_blanks() || at_ == end_ || *at_ != dialect_.delimiter()) return next_of_any();
    ++at_;
    skip_blanks();
    return Next::field;
  }

 private:
  Next next_of_any();
  [[nodiscard]] bool is_record_end(const char* p) const {
    if (p == end_ || *p == '\n') return true;
    return *p == '\r' && (p + 1 == end_ || p[1] == '\n');
  }
  [[nodiscard]] bool is_delimiter(char c) const {
    return c == dialect_.delimiter() || (dialect_.parts_by_blanks() && c == '\t');
  }
  [[nodiscard]] std::string_view unquoted(std::string_view quoted);

  CsvDialect dialect_;
  const char* at_;
  const char* end_;
  std::string unescaped_;
};

}  // namespace askfew

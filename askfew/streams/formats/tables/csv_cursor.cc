#include "askfew/streams/formats/tables/csv_cursor.h"

#include <cmath>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/number.h"

namespace askfew {
namespace {

constexpr std::size_t none = std::string_view::npos;

}  // namespace

std::size_t CsvDialect::whole_records(std::string_view bytes, std::size_t& looked_at) const {
  std::size_t whole = 0;         // after the last line end outside quotes
  std::size_t from = looked_at;  // bytes before it were examined
  const auto look_at = [&](std::size_t until) {
    const std::size_t line_end = last_of('\n', bytes.substr(from, until - from));
    if (line_end > 0) whole = from + line_end;
  };
  while (true) {
    const std::size_t quote = bytes.find('"', from);
    if (quote == none) break;
    look_at(quote);
    from = quote + 1;
    if (!begins_field(bytes, quote)) continue;
    const auto past = past_quoted(bytes.substr(quote));
    if (past && quote + *past < bytes.size()) {
      from = quote + *past;
    } else if (past || bytes.size() - quote <= max_quoted) {
      looked_at = quote;  // the next bytes may close the quote, or double it
      return whole;
    }
  }
  look_at(bytes.size());
  looked_at = bytes.size();
  return whole;
}

std::size_t CsvDialect::first_record(std::string_view bytes) const {
  std::size_t from = 0;
  while (true) {
    const std::size_t found = bytes.find_first_of("\"\n", from);
    if (found == none) return bytes.size();
    from = found + 1;
    if (bytes[found] == '\n') return from;
    if (begins_field(bytes, found)) from = found + past_quoted(bytes.substr(found)).value_or(1);
  }
}

std::optional<std::size_t> CsvDialect::past_quoted(std::string_view bytes) {
  bytes = bytes.substr(0, max_quoted);
  std::size_t from = 1;
  while (true) {
    const std::size_t quote = bytes.find('"', from);
    if (quote == none) return std::nullopt;
    if (quote + 1 == bytes.size() || bytes[quote + 1] != '"') return quote + 1;
    from = quote + 2;
  }
}

bool CsvDialect::begins_field(std::string_view bytes, std::size_t quote) const {
  std::size_t at = quote;
  while (at > 0 && is_blank(bytes[at - 1])) --at;
  if (at == 0 || bytes[at - 1] == '\n' || bytes[at - 1] == delimiter_) return true;
  return parts_by_blanks() && at < quote;
}

void CsvCursor::end_record() {
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_ && *at_ == '\n') ++at_;
}

bool CsvCursor::number(double& value) {
  const char* const past = read_number(at_, end_, value);
  if (past == nullptr || !std::isfinite(value)) return false;
  if (past != end_ && !is_delimiter(*past) && !is_record_end(past)) return false;
  at_ = past;
  return true;
}

std::optional<std::string_view> CsvCursor::field() {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (rest.starts_with('"')) {
    const auto past = CsvDialect::past_quoted(rest);
    if (!past) return std::nullopt;
    at_ += *past;
    return unquoted(rest.substr(1, *past - 2));
  }
  const char* const from = at_;
  while (at_ != end_ && *at_ != '\n' && !is_delimiter(*at_)) ++at_;
  if (at_ != from && at_[-1] == '\r' && (at_ == end_ || *at_ == '\n')) --at_;
  const char* past = at_;
  while (past != from && dialect_.is_blank(past[-1])) --past;
  return std::string_view(from, static_cast<std::size_t>(past - from));
}

std::string_view CsvCursor::unquoted(std::string_view quoted) {
  std::size_t quote = quoted.find('"');
  if (quote == none) return quoted;
  unescaped_.clear();
  for (; quote != none; quote = quoted.find('"')) {
    unescaped_ += quoted.substr(0, quote + 1);
    quoted.remove_prefix(quote + 2);
  }
  return unescaped_ += quoted;
}

CsvCursor::Next CsvCursor::next_of_any() {
  const char* const before = at_;
  skip_blanks();
  if (at_record_end()) return Next::record_end;
  if (dialect_.parts_by_blanks()) return at_ == before ? Next::neither : Next::field;
  if (*at_ != dialect_.delimiter()) return Next::neither;
  ++at_;
  skip_blanks();
  return Next::field;
}

}  // namespace askfew

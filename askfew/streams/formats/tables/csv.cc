#include "askfew/streams/formats/tables/csv.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/formats/common/letters.h"
#include "askfew/streams/formats/tables/csv_parser.h"
#include "askfew/streams/formats/tables/csv_sample.h"

namespace askfew {
namespace {

std::uint64_t lines_of(std::string_view bytes) {
  return static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

/// `1 3:0.5 7:1`, or `3,17 5:1` with several labels.
bool is_svmlight(std::string_view line) {
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return false;
  const std::string_view pair = line.substr(std::min(line.size(), line.find_first_not_of(" \t", blank)));
  const std::size_t past_digits = pair.find_first_not_of("0123456789");
  return pair.starts_with('#') ||
         (past_digits != 0 && past_digits != std::string_view::npos && pair[past_digits] == ':');
}

/// A table without a label has its last column taken for the label; often nothing is left then to learn from.
void expect_features(const TableSchema& schema) {
  std::string label;
  for (const auto& [name, kind, values] : schema.columns) {
    if (kind == ColumnKind::label) label = name;
    if (kind != ColumnKind::label && kind != ColumnKind::id && kind != ColumnKind::time &&
        kind != ColumnKind::ignored) {
      return;
    }
  }
  constexpr std::string_view hint =
      "`label_column` names the label; askfew label and askfew stream ask for labels that are not there";
  if (schema.columns.size() == 1) {
    throw ConfigError(fmt::format("a table of one column, with the delimiter {} (see `delimiter`): {}",
                                  in_quotes({&schema.delimiter, 1}), hint));
  }
  throw ConfigError(
      fmt::format("no column is left to learn from, if {} has the labels: {}", in_quotes(label), hint));
}

}  // namespace

bool CsvFormat::recognizes(std::string_view first_bytes) {
  // The last line may be incomplete.
  const std::string_view lines = first_bytes.substr(0, first_bytes.rfind('\n') + 1);
  if (guess_delimiter(lines) == 0) return false;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (is_svmlight(line)) return false;
    rest.remove_prefix(line.size() + 1);
  }
  return true;
}

bool CsvFormat::recognizes_name(std::string_view path) {
  return has_ending(path, {".csv", ".tsv"});
}

CsvFormat::CsvFormat(ByteSource& source, const TableOpening& opening, std::shared_ptr<LabelNames> names)
    : columns_share_(source.limits().memory),
      dialect_(','),
      texts_(opening.text),
      unlabelled_(opening.unlabelled),
      labels_(std::move(names)) {
  try {
    if (opening.schema != nullptr) {
      schema_ = *opening.schema;
    } else {
      find_out(source, opening.told);
    }
    dialect_ = CsvDialect(schema_.delimiter);
    const std::vector<std::string> columns = read_names(source);
    plan_ = TablePlan(schema_, columns, texts_);
    look_at_labels(source.peek());
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", source.name(), error.what()));
  }
  set_facts({.label_kind = schema_.labels,
             .input = InputKind::columns,
             .some_labels = some_labels_,
             .dimension = plan_.dimension(),
             .table = schema_.columns.empty() ? nullptr : std::make_shared<const TableSchema>(schema_)});
}

void CsvFormat::find_out(ByteSource& source, const TableOptions& told) {
  const std::size_t sample = first_lines(source).size();
  const auto lines_up_to = [&](std::size_t end) { return without_mark(source.peek().substr(0, end)); };
  char delimiter = told.delimiter != 0 ? told.delimiter : guess_delimiter(lines_up_to(sample));
  if (delimiter == 0) delimiter = ',';
  const CsvDialect dialect(delimiter);
  const auto first = first_record(source, dialect);
  if (!first) return;
  count_columns(source.peek().substr(first->begin, first->end - first->begin), dialect);
  std::size_t unused = 0;
  const std::size_t whole = dialect.whole_records(source.peek().substr(0, sample), unused);
  std::vector<TableRecord> records = split_records(lines_up_to(std::max(whole, first->end)), dialect, sample);
  if (records.empty()) return;  // the first record is malformed; reading the names reports that
  leave_out_joined_headers(records);
  schema_ = guess_schema(records, told);
  schema_.delimiter = delimiter;
  schema_.check();
  if (unlabelled_ == Unlabelled::accepted) return;
  expect_features(schema_);
  expect_labels_that_repeat(records, schema_, told);
  expect_no_mixed_columns(records, schema_, told);
  if (schema_.header && schema_.columns[0].kind == ColumnKind::numeric && told.numeric_columns.empty() &&
      counts_rows(records)) {
    note_ = fmt::format(
        "{}: the first column{} counts the rows: it is a feature, unless column 1 is ignored or has the ids",
        source.name(),
        records[0][0].empty() ? " has no name and" : fmt::format(", {},", in_quotes(records[0][0])));
  }
}

void CsvFormat::count_columns(std::string_view record, const CsvDialect& dialect) {
  columns_share_.resize(count_fields(record, dialect) * memory_of_column("") + 8 * record.size(),
                        "the columns of a table");
}

std::vector<std::string> CsvFormat::read_names(ByteSource& source) {
  const auto place = first_record(source, dialect_);
  if (!place) {  // no record, or a failing source: the stream reports which
    skip_byte_order_mark(source);
    return {};
  }
  const std::string_view bytes = source.peek();
  const std::string_view record = bytes.substr(place->begin, place->end - place->begin);
  std::vector<std::string> names;
  count_columns(record, dialect_);
  if (schema_.header) {
    const std::uint64_t line = lines_of(bytes.substr(0, place->begin)) + 1;
    names = names_in_header(record, {.line = line, .column = 1, .why = "", .file = source.name()});
    header_ = record.substr(0, record.find_last_not_of("\r\n") + 1);
    header_lines_ = lines_of(bytes.substr(0, place->end));
    before_rows_ = place->end;
    std::string header(before_rows_, '\0');
    source.read_fully(header.data(), header.size());
  } else {
    names = names_by_place(record);
    skip_byte_order_mark(source);
  }
  return names;
}

void CsvFormat::look_at_labels(std::string_view first_bytes) {
  constexpr std::size_t few = 100;
  const std::string_view rows = first_bytes.substr(before_rows_);
  std::size_t unused = 0;
  const auto label = std::ranges::find(plan_.slots(), ColumnKind::label, &TablePlan::Slot::kind);
  some_labels_ =
      first_labels(split_records(rows.substr(0, dialect_.whole_records(rows, unused)), dialect_, few),
                   static_cast<std::size_t>(label - plan_.slots().begin()));
}

std::vector<std::string> CsvFormat::names_in_header(std::string_view record, ParseError place) const {
  const auto refuse = [&](const char* at, std::string why) {
    place.column = at == nullptr ? 1 : static_cast<std::size_t>(at - record.data()) + 1;
    place.why = std::move(why);
    throw DataError(place);
  };
  TableRecord header;
  CsvCursor cursor(dialect_, record);
  for (auto next = CsvCursor::Next::field; next == CsvCursor::Next::field; next = cursor.next()) {
    cursor.skip_blanks();
    const char* const from = cursor.at();
    const auto field = cursor.field();
    if (!field) refuse(from, "a quote that is not closed");
    if (!is_utf8(*field)) refuse(from, fmt::format("the name {} is not UTF-8", in_quotes(*field)));
    header.emplace_back(*field);
  }
  if (!cursor.at_record_end())
    refuse(cursor.at(), "expected a delimiter or the end of the line after a quote");
  if (schema_.columns.empty()) refuse(nullptr, "not a table: no record is whole");
  std::vector<std::string> names = column_names(header);
  if (const std::string missing = missing_column(schema_, names); !missing.empty()) {
    place.why =
        fmt::format("no column {} in the header, which has {}", in_quotes(missing), list_in_quotes(names));
    throw OtherColumns(place);
  }
  const TableColumn& label = *std::ranges::find(schema_.columns, ColumnKind::label, &TableColumn::kind);
  if (unlabelled_ != Unlabelled::accepted && std::ranges::find(names, label.name) == names.end()) {
    refuse(nullptr, fmt::format("no label column {} in the header", in_quotes(label.name)));
  }
  return names;
}

std::vector<std::string> CsvFormat::names_by_place(std::string_view first_record) const {
  const std::vector<TableRecord> records = split_records(first_record, dialect_, 1);
  const std::size_t fields = records.empty() ? 0 : records[0].size();
  const bool without_label = unlabelled_ == Unlabelled::accepted && fields + 1 == schema_.columns.size();
  std::vector<std::string> names;
  for (const TableColumn& column : schema_.columns) {
    if (!without_label || column.kind != ColumnKind::label) names.push_back(column.name);
  }
  return names;
}

std::vector<std::string> CsvFormat::notes() const {
  return note_.empty() ? std::vector<std::string>() : std::vector{note_};
}

std::unique_ptr<Parser> CsvFormat::parser() const {
  return std::make_unique<CsvParser>(dialect_, header_, plan_, texts_, labels_,
                                     TableRow::Options{.labels = schema_.labels, .unlabelled = unlabelled_});
}

}  // namespace askfew

#include "askfew/streams/formats/tables/table_guess.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>

#include "askfew/config/text.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/common/letters.h"
#include "askfew/streams/formats/common/number.h"

namespace askfew {
namespace {

constexpr std::array<std::string_view, 4> label_names{"label", "class", "target", "y"};
constexpr std::string_view id_name = "id";
constexpr std::string_view text_name = "text";

bool is_number(std::string_view field) {
  double value = 0;
  return read_number(field, value);
}

/// 0,5 or 1,234.5: a number to a person, but not to the reader of numbers.
bool is_number_with_commas(std::string_view field) {
  std::string digits(field);
  return std::erase(digits, ',') > 0 && is_number(digits);
}

std::size_t words_of(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    words += !blank && !in_word ? 1 : 0;
    in_word = !blank;
  }
  return words;
}

/// Facts about a column from its values.
struct Values {
  std::size_t count = 0;  // number of values that are not missing
  std::size_t numbers = 0;
  std::size_t with_commas = 0;  // numbers only to a person
  std::size_t words = 0;
  std::string comma_number;    // the first of these
  std::string other;           // the first value that is no number, also to a person
  bool others_differ = false;  // there are different ones

  void add(std::string_view field) {
    if (is_missing(field)) return;
    ++count;
    words += words_of(field);
    if (is_number(field)) {
      ++numbers;
      return;
    }
    if (is_number_with_commas(field)) {
      if (with_commas++ == 0) comma_number = field;
      return;
    }
    if (other.empty()) other = field;
    others_differ = others_differ || other != field;
  }
  /// Most values are numbers, and the others are few, or all the same: a mistake, or a word for a missing
  /// value. Codes such as 12, 12A and A7 are neither.
  [[nodiscard]] bool are_spoilt_numbers() const {
    const std::size_t others = count - numbers - with_commas;
    return 2 * others < count && (10 * others <= count || !others_differ);
  }
  [[nodiscard]] ColumnKind kind() const {
    if (numbers == count) return ColumnKind::numeric;
    return words > 3 * count ? ColumnKind::text : ColumnKind::categorical;
  }
};

std::vector<Values> values_of(std::span<const TableRecord> records, std::size_t columns) {
  std::vector<Values> values(columns);
  for (const TableRecord& record : records) {
    if (record.size() != columns) continue;  // malformed
    for (std::size_t k = 0; k < columns; ++k) values[k].add(record[k]);
  }
  return values;
}

/// `first_line`: the field of the first line, if that line is a row. THROWS: ConfigError if the values are
/// numbers with mistakes.
void expect_numbers_only(std::string_view column, const Values& values, std::string_view first_line) {
  if (!values.are_spoilt_numbers()) return;
  const std::string& odd = values.with_commas > 0 ? values.comma_number : values.other;
  const std::string_view right = values.with_commas > 0 ? "numbers have a decimal point and no commas"
                                 : odd == first_line    ? "if it is a name, see `header`"
                                                        : "leave the field empty if its value is missing";
  throw ConfigError(fmt::format(
      "column {} has numbers, but {} is not a number: {}; `categorical_columns` reads numbers as names, and "
      "`ignore_columns` leaves a column out",
      in_quotes(column), in_quotes(odd), right));
}

void expect_one_label(std::span<const std::string> header, std::size_t label) {
  if (header[label].empty() || std::ranges::count(header, header[label]) == 1) return;
  throw ConfigError(
      fmt::format("several columns are called {}: give the number of the label's column to "
                  "`label_column`, counted from 1",
                  in_quotes(header[label])));
}

/// The place of the name, or the number of columns.
std::size_t label_by_name(const std::vector<std::string>& names) {
  for (const std::string_view usual : label_names) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (in_small_letters(names[k]) == usual) return k;
    }
  }
  return names.size();
}

/// The column of the labels if the user names none: the column with a usual name. Else the last column,
/// unless it has text and only one other column has names as values, as in tables of a label and a text.
std::size_t usual_label(const std::vector<TableColumn>& columns, const std::vector<std::string>& names) {
  const std::size_t by_name = label_by_name(names);
  if (by_name < names.size()) return by_name;
  const auto is_categorical = [](const TableColumn& column) {
    return column.kind == ColumnKind::categorical && in_small_letters(column.name) != id_name;
  };
  if (columns.back().kind == ColumnKind::text && std::ranges::count_if(columns, is_categorical) == 1) {
    return static_cast<std::size_t>(std::ranges::find_if(columns, is_categorical) - columns.begin());
  }
  return columns.size() - 1;
}

/// Is one of the fields a usual name of a label, an id or a text, but not a value in the same column?
bool has_usual_name(std::span<const TableRecord> records) {
  const TableRecord& first = records[0];
  const auto is_only_here = [&](std::size_t k) {
    return k < first.size() && std::ranges::none_of(records.subspan(1), [&](const TableRecord& row) {
             return k < row.size() && row[k] == first[k];
           });
  };
  const auto is_there = [&](std::string_view name) {
    return is_only_here(
        static_cast<std::size_t>(std::ranges::find(first, name, in_small_letters) - first.begin()));
  };
  return is_only_here(label_by_name(first)) || is_there(id_name) || is_there(text_name);
}

bool names_a_column(const TableRecord& record, const TableOptions& told) {
  const auto is_there = [&](const std::string& name) {
    return !is_number(name) && std::find(record.begin(), record.end(), name) != record.end();
  };
  return is_there(told.label_column) || is_there(told.id_column) || is_there(told.time_column) ||
         std::ranges::any_of(told.numeric_columns, is_there) ||
         std::ranges::any_of(told.categorical_columns, is_there) ||
         std::ranges::any_of(told.text_columns, is_there) ||
         std::ranges::any_of(told.ignore_columns, is_there);
}

/// Is this the header of texts and categories? Each of its fields is one word that its column does not have
/// below, over texts of several words, or over few values that come again and again.
bool names_texts(std::span<const TableRecord> records, const std::vector<Values>& below) {
  constexpr std::size_t least = 4;  // fewer rows show nothing
  const TableRecord& first = records[0];
  if (records.size() <= least) return false;
  bool has_text = false;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (is_missing(first[k]) || is_number(first[k]) || words_of(first[k]) > 1) return false;
    std::set<std::string_view> values;
    for (const TableRecord& row : records.subspan(1)) {
      if (row.size() == first.size()) values.insert(row[k]);
    }
    if (values.contains(first[k])) return false;
    const bool is_text = below[k].count > 0 && below[k].words > 3 * below[k].count;
    if (!is_text && 2 * values.size() > below[k].count) return false;
    has_text = has_text || is_text;
  }
  return has_text;
}

bool has_header(std::span<const TableRecord> records, const TableOptions& told) {
  if (told.header != TableOptions::Header::automatic) return told.header == TableOptions::Header::yes;
  const TableRecord& first = records[0];
  if (has_usual_name(records) || names_a_column(first, told)) return true;
  const std::vector<Values> below = values_of(records.subspan(1), first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    const bool only_numbers = below[k].count > 0 && below[k].numbers == below[k].count;
    if (only_numbers && !is_missing(first[k]) && !is_number(first[k])) return true;
  }
  return names_texts(records, below);
}

}  // namespace

bool is_usual_label_name(std::string_view name) {
  return std::ranges::find(label_names, in_small_letters(name)) != label_names.end();
}

bool lacks_label(std::span<const TableColumn> columns, const TableOptions& told) {
  return told.may_lack_label && !is_number(told.label_column) &&
         std::ranges::find(columns, told.label_column, &TableColumn::name) == columns.end();
}

std::vector<std::string> column_names(const TableRecord& header) {
  std::vector<std::string> names = column_numbers(header.size());
  std::set<std::string_view> seen;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (!header[k].empty() && seen.insert(header[k]).second) names[k] = header[k];
  }
  return names;
}

std::vector<std::string> column_numbers(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= count; ++k) names.push_back(std::to_string(k));
  return names;
}

bool repeats(const TableRecord& record, const TableRecord& header) {
  return record.size() == header.size() && without_mark(record[0]) == header[0] &&
         std::equal(record.begin() + 1, record.end(), header.begin() + 1);
}

void leave_out_joined_headers(std::vector<TableRecord>& records) {
  const auto is_repeat = [&](const TableRecord& record) { return repeats(record, records[0]); };
  if (std::ranges::all_of(records, is_repeat)) return;
  records.erase(std::remove_if(records.begin() + 1, records.end(), is_repeat), records.end());
}

TableSchema guess_schema(std::span<const TableRecord> records, const TableOptions& told) {
  TableSchema schema;
  schema.header = has_header(records, told);
  const auto names = schema.header ? column_names(records[0]) : column_numbers(records[0].size());
  const auto rows = records.subspan(schema.header ? 1 : 0);
  const std::vector<Values> values = values_of(rows, names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool is_text =
        values[k].kind() == ColumnKind::categorical && in_small_letters(names[k]) == text_name;
    schema.columns.push_back({.name = names[k], .kind = is_text ? ColumnKind::text : values[k].kind()});
  }
  const std::size_t usual = usual_label(schema.columns, names);
  const std::size_t label = told.label_column.empty() || lacks_label(schema.columns, told)
                                ? usual
                                : find_column(schema.columns, told.label_column, "label_column");
  if (schema.header && !is_number(told.label_column)) expect_one_label(records[0], label);
  schema.columns[label].kind = ColumnKind::label;
  if (told.id_column.empty()) find_id(schema.columns);
  // A table that lacks the label is not read by its schema: a model of texts takes its texts.
  if (!lacks_label(schema.columns, told)) set_told_kinds(schema.columns, told);
  std::vector<std::string> labels;
  for (const TableRecord& row : rows) {
    if (row.size() == names.size() && !is_missing(row[label])) labels.push_back(row[label]);
  }
  schema.labels = kind_of_labels(labels);
  return schema;
}

void expect_no_mixed_columns(std::span<const TableRecord> records, const TableSchema& schema,
                             const TableOptions& told) {
  std::set<std::size_t> told_categorical;
  for (const std::string& name : told.categorical_columns) {
    told_categorical.insert(find_column(schema.columns, name, "categorical_columns"));
  }
  const std::vector<Values> values = values_of(records.subspan(schema.header ? 1 : 0), schema.columns.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (schema.columns[k].kind != ColumnKind::categorical || told_categorical.contains(k)) continue;
    expect_numbers_only(schema.columns[k].name, values[k], schema.header ? "" : records[0][k]);
  }
}

void expect_labels_that_repeat(std::span<const TableRecord> records, const TableSchema& schema,
                               const TableOptions& told) {
  const auto label = std::ranges::find(schema.columns, ColumnKind::label, &TableColumn::kind);
  if (!told.label_column.empty() || is_usual_label_name(label->name)) return;
  const auto place = static_cast<std::size_t>(label - schema.columns.begin());
  Values values;
  std::set<std::string_view> different;
  for (const TableRecord& row : records.subspan(schema.header ? 1 : 0)) {
    if (row.size() != schema.columns.size()) continue;
    values.add(row[place]);
    different.insert(row[place]);
  }
  const std::size_t least = values.kind() == ColumnKind::text ? 4 : 20;  // fewer rows show nothing
  const bool differ =
      values.kind() != ColumnKind::numeric && values.count >= least && 2 * different.size() > values.count;
  const bool is_empty = values.count == 0 && !different.empty();
  if (!differ && !is_empty) return;
  std::vector<std::string> names;
  for (const TableColumn& column : schema.columns) names.push_back(column.name);
  throw ConfigError(
      fmt::format("column {} would have the labels, but {}: `label_column` names the column of the labels, "
                  "which is one of {}",
                  in_quotes(label->name), is_empty ? "it is empty" : "most of its values are different",
                  list_in_quotes(names)));
}

bool counts_rows(std::span<const TableRecord> records) {
  const std::size_t least = records[0][0].empty() ? 4 : 20;  // fewer rows show nothing
  if (records.size() <= least) return false;
  double first = 0;
  if (!read_number(records[1][0], first)) return false;
  for (std::size_t k = 1; k < records.size(); ++k) {
    double value = 0;
    if (!read_number(records[k][0], value) || value != first + static_cast<double>(k - 1)) return false;
  }
  return true;
}

std::vector<std::string> first_labels(std::span<const TableRecord> records, std::size_t column) {
  constexpr std::size_t few = 5;
  std::vector<std::string> labels;
  for (const TableRecord& record : records) {
    const bool is_there = record.size() > column && !is_missing(record[column]);
    if (!is_there || std::ranges::find(labels, record[column]) != labels.end()) continue;
    labels.push_back(record[column]);
    if (labels.size() == few) break;
  }
  return labels;
}

}  // namespace askfew

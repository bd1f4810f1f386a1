#include "askfew/streams/formats/tables/table_schema.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <set>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
#include "askfew/streams/formats/common/letters.h"
#include "askfew/streams/formats/tables/table_labels.h"

namespace askfew {
namespace {

struct KindName {
  ColumnKind kind;
  std::string_view name;
};
constexpr KindName kind_names[] = {{ColumnKind::ignored, "ignored"},
                                   {ColumnKind::label, "label"},
                                   {ColumnKind::id, "id"},
                                   {ColumnKind::time, "time"},
                                   {ColumnKind::numeric, "numeric"},
                                   {ColumnKind::nominal, "nominal"},
                                   {ColumnKind::categorical, "categorical"},
                                   {ColumnKind::text, "text"}};

/// The names for messages, shortened, because a table may have thousands of columns.
std::string names_of(std::span<const TableColumn> columns) {
  constexpr std::size_t most = 20;
  std::string names;
  for (const TableColumn& column : columns.first(std::min(most, columns.size()))) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", in_quotes(column.name));
  }
  return columns.size() > most ? fmt::format("{} and {} more", names, columns.size() - most) : names;
}

}  // namespace

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  const bool parts = text.size() == 1 && text[0] > 0 &&
                     std::string_view("\"\r\n+-.?").find(text[0]) == std::string_view::npos &&
                     std::isalnum(static_cast<unsigned char>(text[0])) == 0;
  if (!parts) {
    throw ConfigError(fmt::format("delimiter {} is not one of: comma, tab, space, or a mark such as , ; | :",
                                  in_quotes(text)));
  }
  return text[0];
}

std::string_view text_of(ColumnKind kind) {
  for (const KindName& known : kind_names) {
    if (known.kind == kind) return known.name;
  }
  return "";
}

std::optional<ColumnKind> parse_column_kind(std::string_view text) {
  for (const KindName& known : kind_names) {
    if (known.name == text) return known.kind;
  }
  return std::nullopt;
}

void TableSchema::check() const {
  std::set<std::string_view> names;
  std::size_t labels_found = 0;
  for (const TableColumn& column : columns) {
    if (!names.insert(column.name).second) {
      throw ConfigError(fmt::format("two columns have the name {}", in_quotes(column.name)));
    }
    labels_found += column.kind == ColumnKind::label ? 1 : 0;
    const std::set<std::string_view> values(column.values.begin(), column.values.end());
    if (values.size() < column.values.size()) {
      throw ConfigError(fmt::format("column {} has a value twice", in_quotes(column.name)));
    }
  }
  if (labels_found != 1) throw ConfigError(fmt::format("a table of {} label columns", labels_found));
}

std::size_t find_column(std::span<const TableColumn> columns, const std::string& told,
                        std::string_view option) {
  const auto named = std::find_if(columns.begin(), columns.end(),
                                  [&](const TableColumn& column) { return column.name == told; });
  if (named != columns.end()) return static_cast<std::size_t>(named - columns.begin());
  std::size_t number = 0;
  const char* const end = told.data() + told.size();
  const auto [past, error] = std::from_chars(told.data(), end, number);
  if (error == std::errc{} && past == end && number >= 1 && number <= columns.size()) return number - 1;
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  throw ConfigError(fmt::format("`{}` {} is not a column: {}columns: {}", option, in_quotes(told),
                                nearest_or_nothing(told, names), names_of(columns)));
}

bool is_usual_id_name(std::string_view name) {
  return in_small_letters(name) == "id";
}

void find_id(std::vector<TableColumn>& columns) {
  for (TableColumn& column : columns) {
    if (column.kind != ColumnKind::label && is_usual_id_name(column.name)) {
      column.kind = ColumnKind::id;
      return;
    }
  }
}

void set_told_kinds(std::vector<TableColumn>& columns, const TableOptions& told) {
  std::set<std::size_t> seen;
  const auto set = [&](const std::vector<std::string>& names, ColumnKind kind, std::string_view option) {
    for (const std::string& name : names) {
      const std::size_t place = find_column(columns, name, option);
      const bool is_label = columns[place].kind == ColumnKind::label;
      if (is_label || !seen.insert(place).second) {
        throw ConfigError(
            fmt::format("`{}` {} is {} already", option, in_quotes(name), is_label ? "the label" : "told"));
      }
      columns[place].kind = kind;
    }
  };
  set(told.numeric_columns, ColumnKind::numeric, "numeric_columns");
  set(told.categorical_columns, ColumnKind::categorical, "categorical_columns");
  set(told.text_columns, ColumnKind::text, "text_columns");
  set(told.ignore_columns, ColumnKind::ignored, "ignore_columns");
  if (!told.id_column.empty()) set({told.id_column}, ColumnKind::id, "id_column");
  if (!told.time_column.empty()) set({told.time_column}, ColumnKind::time, "time_column");
}

LabelKind kind_of_labels(std::span<const std::string> labels) {
  std::set<Examples::LabelId> numbers;
  for (const std::string& label : labels) {
    const auto number = whole_number(label);
    if (!number) return LabelKind::classes;
    numbers.insert(*number);
  }
  if (numbers.empty() || (*numbers.begin() >= -1 && *numbers.rbegin() <= 1)) return LabelKind::binary;
  return numbers == std::set<Examples::LabelId>{1, 2} ? LabelKind::one_two : LabelKind::classes;
}

}  // namespace askfew

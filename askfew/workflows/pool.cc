#include "askfew/workflows/pool.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <set>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/common/number.h"
#include "askfew/streams/formats/json/json_record.h"
#include "askfew/streams/formats/json/jsonl.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/tables/csv_sample.h"
#include "askfew/streams/formats/tables/table_guess.h"
#include "askfew/streams/formats/tables/tsv.h"
#include "askfew/streams/text_bytes.h"
#include "askfew/streams/unreadable.h"

namespace askfew {
namespace {

constexpr std::size_t no_column = ~std::size_t{0};

std::string read_all(const std::string& path) {
  ByteSource source(path);
  if (std::string why = unreadable(source.peek()); !why.empty()) {
    throw DataError({.why = std::move(why), .file = source.name()});
  }
  std::string bytes;
  std::string part(std::size_t{1} << 20, '\0');
  while (const std::size_t got = source.read_fully(part.data(), part.size())) bytes.append(part, 0, got);
  if (!source.failure().empty()) throw FileError(fmt::format("{}: {}", source.name(), source.failure()));
  return std::string(without_mark(bytes));
}

std::vector<std::string_view> lines_of(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::vector<PoolItem> read_json(const std::string& path, std::string_view bytes, const TableOptions& told) {
  const MixedLabels labels(std::make_shared<LabelNames>());
  JsonReader reader(SvmlightFormat::max_features, labels, told);
  std::vector<PoolItem> items;
  std::string padded;
  std::uint64_t number = 0;
  for (const std::string_view line : lines_of(bytes)) {
    ++number;
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    padded.assign(line);
    padded.append(JsonReader::padding, ' ');
    auto record = reader.read(std::string_view(padded).substr(0, line.size()));
    if (!record) {
      throw DataError(
          {.line = number, .column = record.error().column, .why = record.error().why, .file = path});
    }
    PoolItem item{.id = std::to_string(number), .text = {}, .label = {}};
    if ((*record)->id) item.id = (*record)->id->text;
    for (const JsonRecord::Text& text : (*record)->texts) {
      item.text += (item.text.empty() ? "" : "\n") + std::string(text.text);
    }
    if (item.text.empty()) {
      throw DataError(
          {.line = number, .column = 1, .why = "no text that a person could label", .file = path});
    }
    if (!(*record)->labels.empty()) item.label = labels.name((*record)->labels[0]);
    items.push_back(std::move(item));
  }
  return items;
}

/// The places of the columns.
struct Columns {
  std::vector<std::size_t> texts;
  std::size_t id = no_column;
  std::size_t label = no_column;
};

std::size_t words_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

/// The column with most words; no_column: all others are ids, labels or numbers.
std::size_t text_column(std::span<const TableRecord> rows, const Columns& columns, std::size_t count) {
  std::vector<std::size_t> words(count);
  std::vector<bool> has_text(count);
  for (const TableRecord& row : rows.first(std::min<std::size_t>(1000, rows.size()))) {
    for (std::size_t k = 0; k < std::min(row.size(), count); ++k) {
      double number = 0;
      words[k] += words_of(row[k]);
      has_text[k] = has_text[k] || (!is_missing(row[k]) && !read_number(row[k], number));
    }
  }
  std::size_t best = no_column;
  for (std::size_t k = 0; k < count; ++k) {
    const bool may_be = has_text[k] && k != columns.id && k != columns.label;
    if (may_be && (best == no_column || words[k] > words[best])) best = k;
  }
  return best;
}

/// What a table must have.
enum class Needed : std::uint8_t { texts, ids };

Columns columns_of(const TableSchema& schema, std::span<const TableRecord> rows, const TableOptions& told,
                   Needed needed) {
  Columns columns;
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    const auto& [name, kind, values] = schema.columns[k];
    if (kind == ColumnKind::id) columns.id = k;
    // The last column is a label only if it is called so: a pool has none.
    const bool is_told = !told.label_column.empty() && !lacks_label(schema.columns, told);
    const bool is_label = kind == ColumnKind::label && (is_told || is_usual_label_name(name));
    if (is_label) columns.label = k;
  }
  for (const std::string& name : told.text_columns) {
    columns.texts.push_back(find_column(schema.columns, name, "text_columns"));
  }
  if (!columns.texts.empty()) return columns;
  const std::size_t text = text_column(rows, columns, schema.columns.size());
  if (text != no_column) {
    columns.texts.push_back(text);
  } else if (needed == Needed::ids && columns.id != no_column) {
    columns.texts.push_back(columns.id);
  } else if (!rows.empty()) {
    std::vector<std::string> names;
    for (const TableColumn& column : schema.columns) names.push_back(column.name);
    throw ConfigError(
        fmt::format("no column has texts: `text_columns` names one of {}", list_in_quotes(names)));
  }
  return columns;
}

std::vector<PoolItem> read_table(const std::string& path, std::string_view bytes, char delimiter,
                                 const TableOptions& told, Needed needed) {
  const CsvDialect dialect(delimiter);
  const std::vector<TableRecord> records = split_records(bytes, dialect, bytes.size());
  if (records.empty()) return {};
  // The columns of features are of no use here, and may be anything.
  TableOptions roles{.header = told.header,
                     .label_column = told.label_column,
                     .may_lack_label = told.may_lack_label,
                     .id_column = told.id_column};
  std::vector<TableRecord> sample = records;
  leave_out_joined_headers(sample);
  const TableSchema schema = guess_schema(sample, roles);
  const std::span<const TableRecord> rows = std::span(records).subspan(schema.header ? 1 : 0);
  const Columns columns = columns_of(schema, rows, told, needed);
  std::vector<PoolItem> items;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const TableRecord& row = rows[k];
    if (schema.header && repeats(row, records[0])) {
      throw DataError(
          {.why = fmt::format("record {} is the header again: leave it out", k + 1), .file = path});
    }
    if (row.size() != schema.columns.size()) {
      throw DataError({.why = fmt::format("record {} has {} fields, expected {}: a field with {} in it is "
                                          "in double quotes",
                                          k + 1, row.size(), schema.columns.size(),
                                          in_quotes(std::string_view(&delimiter, 1))),
                       .file = path});
    }
    PoolItem item{.id = std::to_string(k + 1), .text = {}, .label = {}};
    if (columns.id != no_column) item.id = row[columns.id];
    for (const std::size_t text : columns.texts) item.text += (item.text.empty() ? "" : "\n") + row[text];
    if (columns.label != no_column && !is_missing(row[columns.label])) item.label = row[columns.label];
    items.push_back(std::move(item));
  }
  return items;
}

/// 0: the file is not a table. A table of one column shows no delimiter; its name says what it is.
char delimiter_of(const std::string& path, std::string_view sample, const TableOptions& told) {
  if (told.delimiter != 0) return told.delimiter;
  const char found = guess_delimiter(sample);
  if (found != 0 && found != ' ') return found;
  const std::string name = std::filesystem::path(path).filename().string();
  return name.ends_with(".csv") || name.find(".csv.") != std::string::npos ? ',' : '\0';
}

std::vector<PoolItem> read_lines(std::string_view bytes) {
  std::vector<PoolItem> items;
  std::uint64_t number = 0;
  for (const std::string_view line : lines_of(bytes)) {
    ++number;
    if (!line.empty())
      items.push_back({.id = std::to_string(number), .text = std::string(line), .label = {}});
  }
  return items;
}

std::vector<PoolItem> read_items(const std::string& path, const TableOptions& told, Needed needed) {
  const std::string bytes = read_all(path);
  const std::string_view sample = std::string_view(bytes).substr(0, std::size_t{1} << 16);
  const bool is_json = JsonlFormat::recognizes(sample);
  std::vector<PoolItem> items;
  try {
    if (is_json) {
      items = read_json(path, bytes, told);
    } else if (const char delimiter = delimiter_of(path, sample, told); delimiter != 0) {
      items = read_table(path, bytes, delimiter, told, needed);
    } else {
      items = read_lines(bytes);
    }
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", path, error.what()));
  }
  std::set<std::string_view> ids;
  for (const PoolItem& item : items) {
    if (!ids.insert(item.id).second) {
      throw DataError({.why = fmt::format("the id {} is there twice: an answer could belong to either",
                                          in_quotes(item.id)),
                       .file = path});
    }
    if (!is_utf8(item.text) || !is_utf8(item.id)) {
      throw DataError(
          {.why = fmt::format("the text of {} is not UTF-8: {}", in_quotes(item.id), not_utf8_hint),
           .file = path});
    }
    for (const std::string_view part : {std::string_view(item.id), std::string_view(item.text)}) {
      const std::string_view fault = is_json ? "" : fault_of_nul(part);  // JSON may name the character
      if (fault.empty()) continue;
      throw DataError({.why = fmt::format("the text of {} {}", in_quotes(item.id), fault), .file = path});
    }
  }
  return items;
}

}  // namespace

std::vector<PoolItem> read_answers(const std::string& path, const TableOptions& told) {
  return read_items(path, told, Needed::ids);
}

std::vector<PoolItem> read_pool(const std::string& path, const TableOptions& told) {
  std::vector<PoolItem> items = read_items(path, told, Needed::texts);
  if (items.empty()) throw DataError({.why = "no text in it", .file = path});
  return items;
}

}  // namespace askfew

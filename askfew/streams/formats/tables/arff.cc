#include "askfew/streams/formats/tables/arff.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/streams/byte_order_mark.h"
#include "askfew/streams/formats/common/letters.h"
#include "askfew/streams/formats/common/number.h"

namespace askfew {
namespace {

using Type = ArffAttribute::Type;

ColumnKind usual_kind(Type type) {
  switch (type) {
    case Type::numeric:
      return ColumnKind::numeric;
    case Type::nominal:
      return ColumnKind::nominal;
    case Type::string:
      return ColumnKind::text;
    case Type::date:
      break;
  }
  return ColumnKind::ignored;
}

LabelKind label_kind_of(const ArffAttribute& attribute) {
  if (attribute.type == Type::nominal) return kind_of_labels(attribute.values);
  return attribute.type == Type::numeric ? LabelKind::binary : LabelKind::classes;
}

std::size_t last_nominal(const std::vector<ArffAttribute>& attributes) {
  for (std::size_t k = attributes.size(); k-- > 0;) {
    if (attributes[k].type == Type::nominal) return k;
  }
  throw ConfigError("no attribute is nominal: name the label's with `label_column`");
}

TableSchema schema_of(const std::vector<ArffAttribute>& attributes, const TableOptions& told) {
  TableSchema schema;
  for (const ArffAttribute& attribute : attributes) {
    schema.columns.push_back(
        {.name = attribute.name, .kind = usual_kind(attribute.type), .values = attribute.values});
  }
  const std::size_t label = told.label_column.empty()
                                ? last_nominal(attributes)
                                : find_column(schema.columns, told.label_column, "label_column");
  schema.columns[label].kind = ColumnKind::label;
  if (told.id_column.empty()) find_id(schema.columns);
  set_told_kinds(schema.columns, told);
  schema.labels = label_kind_of(attributes[label]);
  return schema;
}

void expect_columns(const TableSchema& schema, const std::vector<std::string>& names, bool needs_labels,
                    const std::string& file) {
  std::string missing = missing_column(schema, names);
  const auto label = std::ranges::find(schema.columns, ColumnKind::label, &TableColumn::kind);
  if (missing.empty() && needs_labels && std::ranges::find(names, label->name) == names.end())
    missing = label->name;
  if (!missing.empty())
    throw OtherColumns({.why = fmt::format("no attribute {}", in_quotes(missing)), .file = file});
}

/// Does adding this value to a row change it?
bool makes_a_difference(const TablePlan::Slot& slot, const std::string& value) {
  double number = 0;
  switch (slot.kind) {
    case ColumnKind::ignored:
    case ColumnKind::id:
    case ColumnKind::time:
      return false;
    case ColumnKind::numeric:
      return !read_number(value, number) || number != 0;
    case ColumnKind::nominal: {
      const auto found = slot.values.find(value);
      return slot.values.size() != 2 || found == slot.values.end() || found->second != 0;
    }
    default:
      return true;
  }
}

/// In a sparse row, a number that is not written is 0; a nominal value that is not written is the first
/// declared value.
std::vector<ArffParser::Unwritten> unwritten_values(const std::vector<ArffAttribute>& attributes,
                                                    const std::vector<TablePlan::Slot>& slots) {
  std::vector<ArffParser::Unwritten> unwritten;
  for (std::size_t k = 0; k < attributes.size(); ++k) {
    const bool is_nominal = attributes[k].type == Type::nominal && !attributes[k].values.empty();
    if (is_nominal || attributes[k].type == Type::numeric) {
      std::string value = is_nominal ? attributes[k].values[0] : "0";
      if (makes_a_difference(slots[k], value)) unwritten.push_back({k, std::move(value)});
    } else if (slots[k].kind == ColumnKind::label) {
      unwritten.push_back({k, std::nullopt});
    }
  }
  return unwritten;
}

std::vector<std::string> some_labels(const TableSchema& schema) {
  const auto label = std::ranges::find(schema.columns, ColumnKind::label, &TableColumn::kind);
  if (label == schema.columns.end()) return {};
  const auto size = std::min<std::size_t>(5, label->values.size());
  return {label->values.begin(), label->values.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace

bool ArffFormat::recognizes(std::string_view first_bytes) {
  first_bytes = without_mark(first_bytes);
  while (!first_bytes.empty()) {
    const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    first_bytes.remove_prefix(std::min(first_bytes.size(), line.size() + 1));
    ArffCursor cursor(line);
    cursor.skip_blanks();
    if (cursor.at_end()) continue;
    const auto keyword = cursor.value();
    return keyword && in_small_letters(keyword->text) == "@relation";
  }
  return false;
}

bool ArffFormat::recognizes_name(std::string_view path) {
  return has_ending(path, {".arff"});
}

ArffFormat::ArffFormat(ByteSource& source, const TableOpening& opening, std::shared_ptr<LabelNames> names)
    : columns_share_(source.limits().memory),
      texts_(opening.text),
      unlabelled_(opening.unlabelled),
      labels_(std::move(names)) {
  const ArffHeader header = read_arff_header(source, columns_share_);
  header_lines_ = header.lines;
  std::vector<std::string> columns;
  for (const ArffAttribute& attribute : header.attributes) columns.push_back(attribute.name);
  try {
    schema_ = opening.schema != nullptr ? *opening.schema : schema_of(header.attributes, opening.told);
    expect_columns(schema_, columns, unlabelled_ != Unlabelled::accepted, source.name());
    plan_ = TablePlan(schema_, columns, texts_);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", source.name(), error.what()));
  }
  unwritten_ = unwritten_values(header.attributes, plan_.slots());
  set_facts({.label_kind = schema_.labels,
             .input = InputKind::columns,
             .some_labels = some_labels(schema_),
             .dimension = plan_.dimension(),
             .table = std::make_shared<const TableSchema>(schema_)});
}

std::unique_ptr<Parser> ArffFormat::parser() const {
  return std::make_unique<ArffParser>(plan_, unwritten_, texts_, labels_,
                                      TableRow::Options{.labels = schema_.labels, .unlabelled = unlabelled_});
}

}  // namespace askfew

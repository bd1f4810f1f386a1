#include "askfew/streams/formats/tables/table_json.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

using nlohmann::json;

struct LabelsName {
  LabelKind kind;
  std::string_view name;
};
constexpr LabelsName labels_names[] = {
    {LabelKind::binary, "binary"}, {LabelKind::one_two, "one_two"}, {LabelKind::classes, "classes"}};

std::string_view name_of(LabelKind kind) {
  for (const LabelsName& known : labels_names) {
    if (known.kind == kind) return known.name;
  }
  return "";
}

LabelKind labels_of(const std::string& name) {
  for (const LabelsName& known : labels_names) {
    if (known.name == name) return known.kind;
  }
  throw ConfigError(fmt::format("labels of a table of an unknown kind '{}'", name));
}

TableColumn column_of(const json& text) {
  const auto kind = parse_column_kind(text.at("kind").get<std::string>());
  if (!kind) throw ConfigError("a column of an unknown kind");
  return {.name = text.at("name").get<std::string>(),
          .kind = *kind,
          .values = text.value("values", std::vector<std::string>())};
}

}  // namespace

json json_of(const TableSchema& schema) {
  json columns = json::array();
  for (const TableColumn& column : schema.columns) {
    columns.push_back({{"name", column.name}, {"kind", text_of(column.kind)}});
    if (!column.values.empty()) columns.back()["values"] = column.values;
  }
  return {{"columns", columns},
          {"labels", name_of(schema.labels)},
          {"header", schema.header},
          {"delimiter", std::string(1, schema.delimiter)}};
}

TableSchema table_of(const json& text) {
  TableSchema schema;
  for (const json& column : text.at("columns")) schema.columns.push_back(column_of(column));
  schema.labels = labels_of(text.at("labels").get<std::string>());
  schema.header = text.at("header").get<bool>();
  const auto delimiter = text.at("delimiter").get<std::string>();
  schema.delimiter = parse_delimiter(delimiter == " " ? "space" : delimiter == "\t" ? "tab" : delimiter);
  schema.check();
  return schema;
}

}  // namespace askfew

#include "askfew/streams/formats/tables/table_plan.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "askfew/streams/formats/svmlight/svmlight.h"

namespace askfew {
namespace {

constexpr std::uint64_t max_features = SvmlightFormat::max_features;

std::uint64_t features_of(const TableColumn& column) {
  switch (column.kind) {
    case ColumnKind::numeric:
      return 1;
    case ColumnKind::nominal:
      return column.values.size() == 2 ? 1 : column.values.size();
    default:
      return 0;
  }
}

bool makes_features(const TableColumn& column) {
  return column.kind != ColumnKind::label && column.kind != ColumnKind::ignored &&
         column.kind != ColumnKind::id && column.kind != ColumnKind::time;
}

bool is_hashed(const TableColumn& column) {
  return column.kind == ColumnKind::categorical || column.kind == ColumnKind::text;
}

}  // namespace

TablePlan::TablePlan(const TableSchema& schema, std::span<const std::string> names, const TextFeatures& texts)
    : slots_(names.size()) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t place = 0; place < names.size(); ++place) places.emplace(names[place], place);
  std::uint64_t features = 0;
  bool any_hashed = false;
  for (const TableColumn& column : schema.columns) {
    if (const auto found = places.find(column.name); found != places.end()) {
      slots_[found->second] = slot_of(column, static_cast<Index>(features));
    }
    features += features_of(column);
    any_hashed = any_hashed || is_hashed(column);
    dense_ = dense_ && !is_hashed(column) && features_of(column) <= 1;
  }
  if (std::ranges::find(schema.columns, ColumnKind::id, &TableColumn::kind) == schema.columns.end()) {
    take_usual_id(schema, names);
  }
  named_ = any_hashed && texts.options().dictionary;
  if (named_) features = 0;
  hashed_from_ = static_cast<Index>(features);
  if (any_hashed) features += texts.dimension();
  if (features > max_features) {
    throw ConfigError(
        fmt::format("a table of more than {} features{}", max_features, any_hashed ? "; see `bits`" : ""));
  }
  dimension_ = static_cast<Index>(features);
  count_numbers();
}

void TablePlan::take_usual_id(const TableSchema& schema, std::span<const std::string> names) {
  for (std::size_t place = 0; place < names.size(); ++place) {
    const bool is_known =
        std::ranges::find(schema.columns, names[place], &TableColumn::name) != schema.columns.end();
    if (is_known || !is_usual_id_name(names[place])) continue;
    slots_[place] = slot_of({.name = names[place], .kind = ColumnKind::id, .values = {}}, 0);
    return;
  }
}

void TablePlan::count_numbers() {
  for (std::size_t k = slots_.size(); k-- > 0;) {
    if (slots_[k].kind != ColumnKind::numeric) continue;
    const bool goes_on = k + 1 < slots_.size() && slots_[k + 1].kind == ColumnKind::numeric &&
                         slots_[k + 1].first == slots_[k].first + 1;
    slots_[k].numbers = 1 + (goes_on ? slots_[k + 1].numbers : 0);
  }
}

TablePlan::Slot TablePlan::slot_of(const TableColumn& column, Index first) {
  Slot slot{.kind = column.kind, .first = first, .field = TextField(column.name), .name = column.name};
  if (column.kind == ColumnKind::nominal || column.kind == ColumnKind::label) {
    for (const std::string& value : column.values) {
      slot.values.emplace(value, static_cast<Index>(slot.values.size()));
    }
  }
  return slot;
}

std::string missing_column(const TableSchema& schema, std::span<const std::string> names) {
  const std::set<std::string_view> there(names.begin(), names.end());
  for (const TableColumn& column : schema.columns) {
    if (makes_features(column) && !there.contains(column.name)) return column.name;
  }
  return "";
}

}  // namespace askfew

#include "askfew/streams/formats/tables/table_row.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/config/timestamp.h"
#include "askfew/streams/formats/tables/table_labels.h"
#include "askfew/streams/text_bytes.h"

namespace askfew {
namespace {

std::string about(const TablePlan::Slot& slot, std::string_view field, std::string_view why) {
  return fmt::format("column {}: {} {}", in_quotes(slot.name), in_quotes(field), why);
}

}  // namespace

Examples::LabelId label_number(std::string_view text, const MixedLabels& labels) {
  const auto number = whole_number(text);
  return number ? *number : labels.id(text);
}

TableRow::TableRow(const TablePlan& plan, const TextFeatures& texts, const MixedLabels& labels,
                   const Options& options)
    : plan_(plan),
      texts_(texts),
      labels_(labels),
      options_(options),
      scratch_(texts),
      dense_(plan.is_dense() ? plan.dimension() : 0) {}

void TableRow::begin() {
  begin_sparse();
  is_dense_ = plan_.is_dense();
}

void TableRow::begin_sparse() {
  is_dense_ = false;
  has_label_ = false;
  not_utf8_ = false;
  id_.clear();
  time_ = Examples::no_time;
  sparse_.clear();
  bytes_.clear();
  pieces_.clear();
}

std::string TableRow::add(const Slot& slot, std::string_view field) {
  if (slot.kind != ColumnKind::ignored && !has_plain_bytes(field)) {
    if (const std::string_view fault = fault_of_nul(field); !fault.empty()) return about(slot, field, fault);
    if (slot.kind == ColumnKind::categorical && !is_utf8(field)) not_utf8_ = true;
  }
  switch (slot.kind) {
    case ColumnKind::ignored:
      break;
    case ColumnKind::label:
      return add_label(slot, field);
    case ColumnKind::id:
      if (!is_utf8(field)) return about(slot, field, "is not UTF-8");
      id_ = field;
      break;
    case ColumnKind::time:
      return add_time(slot, field);
    case ColumnKind::numeric: {
      double value = 0;
      if (!read_number(field, value)) return about(slot, field, "is not a number");
      if (!std::isfinite(value)) return about(slot, field, "is not finite");
      add_number(slot, value);
      break;
    }
    case ColumnKind::nominal:
      return add_nominal(slot, field);
    case ColumnKind::categorical:
      add_name(slot, field, 1);
      break;
    case ColumnKind::text:
      bytes_ += field;
      pieces_.push_back({.slot = &slot, .end = bytes_.size()});
      break;
  }
  return "";
}

void TableRow::add_name(const Slot& slot, std::string_view name, double value) {
  bytes_ += slot.name;
  if (!name.empty()) (bytes_ += '=') += name;
  pieces_.push_back({.slot = &slot, .end = bytes_.size(), .value = value});
}

std::string TableRow::add_missing(const Slot& slot) {
  if (slot.kind == ColumnKind::label && options_.unlabelled == Unlabelled::malformed) {
    return fmt::format("column {}: the label is missing{}", in_quotes(slot.name), unlabelled_hint);
  }
  const bool is_number = slot.kind == ColumnKind::numeric || slot.kind == ColumnKind::nominal;
  if (is_dense_ && is_number) add_number(slot, 0);
  return "";
}

std::string TableRow::add_nominal(const Slot& slot, std::string_view field) {
  const auto found = slot.values.find(field);
  if (found == slot.values.end()) {
    return about(slot, field, fmt::format("is not one of its {} values", slot.values.size()));
  }
  if (slot.values.size() == 2) {
    add_number(slot, found->second);
  } else if (is_dense_) {
    dense_[slot.first] = 1;  // its only value
  } else {
    add_feature(slot, found->second, field, 1);
  }
  return "";
}

std::string TableRow::add_label(const Slot& slot, std::string_view field) {
  if (!slot.values.empty() && !slot.values.contains(field)) {
    return about(slot, field, fmt::format("is not one of its {} values", slot.values.size()));
  }
  if (!is_utf8(field)) return about(slot, field, "is not UTF-8");
  number_ = whole_number(field);
  if (options_.labels != LabelKind::classes && !number_) {
    return about(slot, field, "is not a whole number, as the first labels are");
  }
  has_label_ = true;
  if (!number_) label_ = field;
  return "";
}

std::string TableRow::add_time(const Slot& slot, std::string_view field) {
  double seconds = 0;
  if (read_number(field, seconds) && std::abs(seconds) < 1e15) {
    time_ = static_cast<std::int64_t>(std::floor(seconds));
  } else if (const auto time = parse_iso_time(field)) {
    time_ = *time;
  } else {
    return about(slot, field, "is neither seconds since 1970 nor like '1987-02-26T15:01:01Z'");
  }
  return "";
}

void TableRow::end(ParsedChunk& out, std::uint64_t line) {
  if (!has_label_ && options_.unlabelled == Unlabelled::skipped) {
    ++out.unlabelled;
    return;
  }
  Examples& block = out.examples;
  block.begin(line);
  if (!id_.empty()) block.set_id(id_);
  if (time_ != Examples::no_time) block.set_time(time_);
  if (has_label_)
    block.add_label(number_ ? *number_ : labels_.id(label_));  // only now, so that a malformed row adds
                                                               // no name
  if (is_dense_) {
    block.add_dense(dense_);
    block.end_dense();
  } else {
    end_sparse(block);
  }
  if (scratch_.take_not_utf8() || not_utf8_) out.count_not_utf8(line);
}

void TableRow::end_sparse(Examples& block) {
  for (const auto& [index, value] : sparse_) block.add_feature(index, value);
  if (!pieces_.empty()) end_pieces(block);
  if (!pieces_.empty() || !std::is_sorted(sparse_.begin(), sparse_.end())) block.sort_features();
  block.end_sparse();
}

void TableRow::end_pieces(Examples& block) {
  words_.clear();
  words_.begin(0);
  std::size_t begin = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view text = std::string_view(bytes_).substr(begin, piece.end - begin);
    begin = piece.end;
    if (piece.slot->kind == ColumnKind::text) {
      texts_.add(text, block, scratch_, piece.slot->field);
    } else {
      block.add_feature(plan_.hashed_from() + texts_.named(text, block, scratch_), piece.value);
    }
  }
  if (plan_.is_named()) {
    texts_.finish(block, scratch_);
    return;
  }
  texts_.finish(words_, scratch_);
  words_.end_sparse();
  words_.x(0).for_each(
      [&](Index index, double value) { block.add_feature(plan_.hashed_from() + index, value); });
}

}  // namespace askfew

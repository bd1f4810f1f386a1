#include "askfew/streams/tables/table_row.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <xxhash.h>

#include "askfew/core/text.h"
#include "askfew/streams/tables/table_labels.h"

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
  label_.reset();
  sparse_.clear();
  bytes_.clear();
  pieces_.clear();
}

std::string TableRow::add(const Slot& slot, std::string_view field) {
  switch (slot.kind) {
    case ColumnKind::ignored:
      break;
    case ColumnKind::label:
      return add_label(slot, field);
    case ColumnKind::numeric: {
      double value = 0;
      if (!read_number(field, value)) return about(slot, field, "is not a number");
      if (!std::isfinite(value)) return about(slot, field, "is not finite");
      add_number(slot, value);
      break;
    }
    case ColumnKind::nominal:
      return add_nominal(slot, field);
    case ColumnKind::categorical: {
      const std::uint64_t hash = XXH3_64bits_withSeed(field.data(), field.size(), slot.seed);
      add_feature(slot, static_cast<Index>(hash) & (texts_.dimension() - 1), field, 1);
      break;
    }
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
  if (slot.kind == ColumnKind::label && options_.needs_labels) {
    return fmt::format("column {}: the label is missing", in_quotes(slot.name));
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
  if (options_.labels == LabelKind::classes) {
    label_ = label_number(field, labels_);
    return "";
  }
  label_ = whole_number(field);
  return label_ ? "" : about(slot, field, "is not a label such as the first ones, a whole number");
}

void TableRow::end(Examples& block, std::uint64_t line) {
  block.begin(line);
  if (label_) block.add_label(*label_);
  if (is_dense_) {
    for (const double value : dense_) block.add_dense(value);
    block.end_dense();
  } else if (plan_.is_named()) {
    end_named(block);
  } else {
    end_hashed(block);
  }
}

void TableRow::end_hashed(Examples& block) {
  if (!pieces_.empty()) hash_words();
  if (!std::is_sorted(sparse_.begin(), sparse_.end())) std::sort(sparse_.begin(), sparse_.end());
  // Words and categories may be hashed to the same feature.
  for (std::size_t from = 0; from < sparse_.size();) {
    auto [index, value] = sparse_[from];
    for (++from; from < sparse_.size() && sparse_[from].first == index; ++from) value += sparse_[from].second;
    block.add_feature(index, value);
  }
  block.end_sparse();
}

void TableRow::hash_words() {
  words_.clear();
  words_.begin(0);
  std::size_t begin = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view text = std::string_view(bytes_).substr(begin, piece.end - begin);
    texts_.add(text, words_, scratch_, piece.slot->field);
    begin = piece.end;
  }
  texts_.finish(words_, scratch_);
  words_.end_sparse();
  words_.x(0).for_each(
      [&](Index index, double value) { sparse_.emplace_back(plan_.hashed_from() + index, value); });
}

/// Features are the words of the block, whatever their order: the dictionary has another.
void TableRow::end_named(Examples& block) {
  std::size_t begin = 0;
  for (const Piece& piece : pieces_) {
    const std::string_view text = std::string_view(bytes_).substr(begin, piece.end - begin);
    begin = piece.end;
    if (piece.slot->kind == ColumnKind::text) {
      texts_.add(text, block, scratch_, piece.slot->field);
    } else {
      block.add_feature(block.words().add(text), piece.value);
    }
  }
  texts_.finish(block, scratch_);
  block.end_sparse();
  const Examples::Features row = block.features(block.size() - 1);
  sort_(row.indices, row.values);
  block.changed(block.size() - 1, row.values.size());
}

}  // namespace askfew

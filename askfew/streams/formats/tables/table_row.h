#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/format.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/formats/tables/table_plan.h"

namespace askfew {

/// Makes an example from the fields of a row. The object keeps its memory, so that a row allocates nothing.
class TableRow {
 public:
  using Slot = TablePlan::Slot;

  struct Options {
    LabelKind labels = LabelKind::classes;
    Unlabelled unlabelled = Unlabelled::malformed;
  };

  /// REQUIRES: the plan, the text features and the labels outlive this object.
  TableRow(const TablePlan& plan, const TextFeatures& texts, const MixedLabels& labels,
           const Options& options);

  void begin();
  /// Begins a row that lacks some columns and becomes a sparse instance.
  void begin_sparse();
  /// Where the numbers of a dense row are written; null for a sparse row.
  [[nodiscard]] double* numbers_from(const Slot& slot) {
    return is_dense_ ? dense_.data() + slot.first : nullptr;
  }
  /// Adds the number of a numeric column. REQUIRES: the number is finite.
  void add_number(const Slot& slot, double value) {
    if (is_dense_) {
      dense_[slot.first] = value;
    } else if (value != 0) {
      add_feature(slot, 0, "", value);
    }
  }
  /// Adds a field; returns its fault, or an empty text. REQUIRES: the field is not missing.
  [[nodiscard]] std::string add(const Slot& slot, std::string_view field);
  /// Handles a missing field; returns the fault, or an empty text.
  [[nodiscard]] std::string add_missing(const Slot& slot);
  /// Adds the example, or counts it if it is left out for lack of a label. REQUIRES: after `begin`, every
  /// column was added or handled as missing.
  void end(ParsedChunk& out, std::uint64_t line);

 private:
  using Index = FeatureView::Index;

  /// The text of a text column, or the name of another column's feature.
  struct Piece {
    const Slot* slot = nullptr;
    std::size_t end = 0;  // end in `bytes_`; the piece begins at the end of the piece before
    double value = 0;
  };

  /// A feature of the column, identified by its place in the column or, in a dictionary, by a name.
  void add_feature(const Slot& slot, Index place, std::string_view name, double value) {
    if (plan_.is_named()) {
      add_name(slot, name, value);
    } else {
      sparse_.emplace_back(slot.first + place, value);
    }
  }
  void add_name(const Slot& slot, std::string_view name, double value);
  [[nodiscard]] std::string add_nominal(const Slot& slot, std::string_view field);
  [[nodiscard]] std::string add_label(const Slot& slot, std::string_view field);
  [[nodiscard]] std::string add_time(const Slot& slot, std::string_view field);
  void end_sparse(Examples& block);
  void end_pieces(Examples& block);

  const TablePlan& plan_;
  const TextFeatures& texts_;
  const MixedLabels& labels_;
  Options options_;
  TextScratch scratch_;

  bool is_dense_ = false;
  bool has_label_ = false;
  bool not_utf8_ = false;                    // a categorical value of the row
  std::string label_;                        // unless it is a whole number
  std::optional<Examples::LabelId> number_;  // then this number
  std::string id_;
  std::int64_t time_ = Examples::no_time;
  std::vector<double> dense_;
  std::vector<std::pair<Index, double>> sparse_;
  std::string bytes_;
  std::vector<Piece> pieces_;
  Examples words_;  // words of the texts, hashed
};

/// The number of a label: a whole number is its own number; a name gets a number.
Examples::LabelId label_number(std::string_view text, const MixedLabels& labels);

}  // namespace askfew

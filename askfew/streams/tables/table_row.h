#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/features/text_hasher.h"
#include "askfew/streams/mixed_labels.h"
#include "askfew/streams/tables/table_plan.h"

namespace askfew {

/// Makes an example of the fields of a row. It keeps its room, so that a row allocates nothing.
class TableRow {
 public:
  using Slot = TablePlan::Slot;
  using LabelId = Examples::LabelId;

  struct Options {
    TextHasher::Options hashing{};
    LabelKind labels = LabelKind::classes;
    bool needs_labels = true;  ///< is a row without a label malformed?
  };

  /// REQUIRES: the plan and the labels outlive it.
  TableRow(const TablePlan& plan, const MixedLabels& labels, const Options& options);

  void begin();
  /// Begins a row that has not every column, and becomes a sparse instance.
  void begin_sparse();
  /// Where the numbers of a dense row go; null for a sparse one.
  [[nodiscard]] double* numbers_from(const Slot& slot) {
    return is_dense_ ? dense_.data() + slot.first : nullptr;
  }
  /// Adds the number of a numeric column. REQUIRES: it is finite.
  void add_number(const Slot& slot, double value) {
    if (is_dense_) {
      dense_[slot.first] = value;
    } else if (value != 0) {
      sparse_.emplace_back(slot.first, value);
    }
  }
  /// Adds a field; what is wrong with it, or an empty text. REQUIRES: it is not missing.
  [[nodiscard]] std::string add(const Slot& slot, std::string_view field);
  /// Leaves a field out; what is wrong with that, or an empty text.
  [[nodiscard]] std::string add_missing(const Slot& slot);
  /// Adds all to the example that is being built, and ends it. REQUIRES: after `begin`, every
  /// column was added or left out.
  void end(Examples& block);

 private:
  using Index = FeatureView::Index;

  [[nodiscard]] std::string add_nominal(const Slot& slot, std::string_view field);
  [[nodiscard]] std::string add_label(const Slot& slot, std::string_view field);
  void hash_words();
  void end_sparse(Examples& block);

  const TablePlan& plan_;
  const MixedLabels& labels_;
  Options options_;
  TextHasher hasher_;
  bool is_dense_ = false;
  std::optional<LabelId> label_;
  std::vector<double> dense_;
  std::vector<std::pair<Index, double>> sparse_;
  std::string text_;  // of all text columns
  Examples words_;    // of the text
};

/// The number of a label: its own if it is a whole number, else one that its name gets.
Examples::LabelId label_number(std::string_view text, const MixedLabels& labels);

}  // namespace askfew

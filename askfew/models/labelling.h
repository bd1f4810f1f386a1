#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/core/label.h"

namespace askfew {

/// Turns the labels of a stream into the binary labels of one or several tasks.
class Labelling {
 public:
  using LabelId = Examples::LabelId;

  /// One task: +1 is positive, -1 and 0 are negative; other labels are errors.
  static Labelling plain();
  /// One task: 2 is positive, 1 is negative; other labels are errors.
  static Labelling one_two();
  /// One task: examples with one of these labels are positive.
  static Labelling any_of(std::span<const LabelId> positive);
  /// One task per label: task k is positive if the example has the k-th label.
  static Labelling one_per_label(std::span<const LabelId> labels);
  /// The same, but every example has exactly one of the labels: the labels are classes.
  static Labelling one_of(std::span<const LabelId> labels);

  /// From now on every other label is a stranger. `names`: of the labels, for messages.
  void accept_only(std::span<const LabelId> labels, std::vector<std::string> names);
  /// The task that is positive if an example has this label, if any.
  [[nodiscard]] std::optional<std::size_t> task_of(LabelId id) const;
  /// The first of the labels that is none of the accepted ones, if only some are accepted; else null. (An
  /// optional number would be written to memory in two parts and read as one, which takes as long as the
  /// search.)
  [[nodiscard]] const LabelId* stranger(std::span<const LabelId> given) const;
  /// What is wrong with a stranger of this name, with the nearest accepted name.
  [[nodiscard]] std::string refusal_of(std::string_view name) const;

  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  /// Writes the label of every task. An error says what is wrong with the example's labels. REQUIRES: one
  /// element per task.
  tl::expected<void, std::string> assign(std::span<const LabelId> given, std::span<Label> labels) const;

 private:
  Labelling() = default;

  /// The two labels of a binary task.
  struct TwoLabels {
    LabelId least = 0;
    LabelId most = 0;
    std::string_view names;
  };

  std::size_t tasks_ = 1;
  std::optional<TwoLabels> two_;
  bool one_of_ = false;
  std::vector<LabelId> accepted_;  // in ascending order; empty: all
  std::vector<std::string> accepted_names_;
  std::unordered_map<LabelId, std::size_t> task_of_;  // a label that makes a task positive
};

}  // namespace askfew

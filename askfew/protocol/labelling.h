#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/core/label.h"

namespace askfew {

/// How the labels of a stream become the binary labels of one task or many.
class Labelling {
 public:
  using LabelId = Examples::LabelId;

  /// One task: +1 is positive, -1 and 0 are negative, and nothing else is a label.
  static Labelling plain();
  /// One task: positive are the examples with one of these labels.
  static Labelling any_of(std::span<const LabelId> positive);
  /// One task a label: the k-th is positive where the example has the k-th label.
  static Labelling one_a_label(std::span<const LabelId> labels);
  /// The same, where every example has exactly one of the labels: they are classes.
  static Labelling one_of(std::span<const LabelId> labels);

  [[nodiscard]] std::size_t tasks() const { return tasks_; }
  /// Writes the label of every task. An error says what is wrong with the example's labels.
  /// REQUIRES: as many places as tasks.
  tl::expected<void, std::string> assign(std::span<const LabelId> given, std::span<Label> labels) const;

 private:
  Labelling() = default;

  std::size_t tasks_ = 1;
  bool plain_ = false;
  bool one_of_ = false;
  std::unordered_map<LabelId, std::size_t> task_of_;  // a label that makes a task positive
};

}  // namespace askfew

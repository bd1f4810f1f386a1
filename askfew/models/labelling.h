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

/// How the labels of a stream become the binary labels of one task or many.
class Labelling {
 public:
  using LabelId = Examples::LabelId;

  /// One task: +1 is positive, -1 and 0 are negative, and nothing else is a label.
  static Labelling plain();
  /// One task: 2 is positive, 1 is negative, and nothing else is a label.
  static Labelling one_two();
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

  /// Which labels a task of two has.
  struct TwoLabels {
    LabelId least = 0;
    LabelId most = 0;
    std::string_view names;
  };

  std::size_t tasks_ = 1;
  std::optional<TwoLabels> two_;
  bool one_of_ = false;
  std::unordered_map<LabelId, std::size_t> task_of_;  // a label that makes a task positive
};

}  // namespace askfew

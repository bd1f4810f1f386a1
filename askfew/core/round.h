#pragma once

// What happened in one round of a task.

#include <cstdint>
#include <optional>

#include "askfew/core/label.h"
#include "askfew/core/query.h"

namespace askfew {

/// Class index; for a binary task 0 is negative, 1 positive.
using LabelNumber = std::uint32_t;

constexpr LabelNumber number_of(Label label) {
  return label == Label::positive ? 1 : 0;
}
/// REQUIRES: the number is a label of a binary task.
constexpr Label label_of(LabelNumber number) {
  return number == 1 ? Label::positive : Label::negative;
}

/// One round of a task.
struct Round {
  Query query{};                       ///< the decision and its reasons
  LabelNumber prediction = 0;          ///< the task's prediction
  std::optional<LabelNumber> label{};  ///< the true label, if known
  bool updated = false;                ///< the label changed the learner
};

}  // namespace askfew

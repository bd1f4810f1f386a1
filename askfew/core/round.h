#pragma once

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
/// REQUIRES: it is of a binary task.
constexpr Label label_of(LabelNumber number) {
  return number == 1 ? Label::positive : Label::negative;
}

/// What happened in a round of a task.
struct Round {
  Query query{};                       ///< what was asked, and why
  LabelNumber prediction = 0;          ///< of the task
  std::optional<LabelNumber> label{};  ///< the truth, if it is known
  bool updated = false;                ///< the label has changed the learner
};

}  // namespace askfew

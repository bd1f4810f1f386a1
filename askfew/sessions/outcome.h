#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "askfew/sessions/label_queue.h"

namespace askfew {

/// What became of an instance.
struct Decision {
  std::uint64_t round = 0;
  double margin = 0;
  double probability = 0;  ///< with which the rule asks
  double coin = 0;
  double audit = 0;           ///< with which it is asked whatever the rule says
  std::uint64_t version = 0;  ///< updates of the learner before
  LabelNumber prediction = 0;
  bool asked = false;
  bool audited = false;

  /// With which the label is asked, by the rule or by the audit.
  [[nodiscard]] double chance() const { return probability + (1 - probability) * audit; }
};

/// What became of a label.
struct LabelReceipt {
  LabelOutcome outcome = LabelOutcome::unknown;
  std::uint64_t round = 0;    ///< that asked for it; 0: none did
  std::int64_t latency = 0;   ///< since then, in microseconds
  std::uint64_t version = 0;  ///< updates of the learner after it
  std::optional<LabelNumber> label;
  bool updated = false;
};

/// A line that was understood, and still could not be taken.
struct Refusal {
  std::string why;
};

using Outcome = std::variant<Decision, LabelReceipt, Refusal>;

}  // namespace askfew

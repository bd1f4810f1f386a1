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

/// Why a line that was understood could not be taken. The numbers are in ledgers: none is ever used again for
/// something else.
enum class RefusalCode : std::uint8_t {
  unnamed = 0,   ///< a ledger of format 1 has only words
  id_waits = 1,  ///< another instance with this id has no label yet
  norm = 2,      ///< the sampler cannot take an instance of this norm
  numeric = 3,   ///< a number would not be finite
  memory = 4     ///< there is none for it
};

struct Refusal {
  RefusalCode code = RefusalCode::unnamed;
  std::string why;
};

/// An instance that came again, with the same id and content: what was decided the first time. It is no other
/// round, so that whoever has lost an answer may ask again.
struct Repeat {
  Decision first;  ///< without its `version`
};

using Outcome = std::variant<Decision, LabelReceipt, Refusal, Repeat>;

}  // namespace askfew

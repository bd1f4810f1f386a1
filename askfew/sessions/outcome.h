#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "askfew/sessions/label_queue.h"

namespace askfew {

/// The result of an instance.
struct Decision {
  std::uint64_t round = 0;
  double margin = 0;
  double probability = 0;  ///< the probability that the rule asks
  double coin = 0;
  double audit = 0;           ///< the probability that the audit asks
  double audit_coin = 0;      ///< the coin of the audit; ledgers do not store it, a replay draws it again
  std::uint64_t version = 0;  ///< number of learner updates before
  LabelNumber prediction = 0;
  std::uint32_t people = 1;  ///< who answer the question; ledgers do not store it, a replay finds it again
  bool asked = false;
  bool audited = false;

  /// The probability that the label is asked, by the rule or by the audit.
  [[nodiscard]] double chance() const { return probability + (1 - probability) * audit; }
};

/// The result of a label.
struct LabelReceipt {
  LabelOutcome outcome = LabelOutcome::unknown;
  std::uint64_t round = 0;    ///< the round that asked for the label; 0: not asked
  std::int64_t latency = 0;   ///< time since the question, in microseconds
  std::uint64_t version = 0;  ///< number of learner updates afterwards
  std::optional<LabelNumber> label;
  bool updated = false;
};

/// Why a well-formed line was refused. Ledgers store these numbers: a number is never reused for another
/// reason.
enum class RefusalCode : std::uint8_t {
  unnamed = 0,   ///< a ledger of format 1 has only words
  id_waits = 1,  ///< another instance with this id has no label yet
  norm = 2,      ///< the sampler does not accept an instance with this norm
  numeric = 3,   ///< a number would not be finite
  memory = 4,    ///< not enough memory
  settings = 5   ///< settings that are impossible
};

struct Refusal {
  RefusalCode code = RefusalCode::unnamed;
  std::string why;
};

/// An instance that came again, with the same id and content, and the first decision about it. The repeat is
/// not a new round, so a client that has lost an answer may ask again.
struct Repeat {
  Decision first;  ///< without its `version`
};

/// Settings have changed after this round.
struct SettingsReceipt {
  std::uint64_t round = 0;
  std::string settings;  ///< all settings that may change, as JSON, from here on
};

using Outcome = std::variant<Decision, LabelReceipt, Refusal, Repeat, SettingsReceipt>;

/// The refusal for lack of memory that a ledger records; null: none.
inline const Refusal* memory_refusal(const Outcome* recorded) {
  const auto* refusal = recorded == nullptr ? nullptr : std::get_if<Refusal>(recorded);
  return refusal != nullptr && refusal->code == RefusalCode::memory ? refusal : nullptr;
}

}  // namespace askfew

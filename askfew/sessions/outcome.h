#pragma once

// What became of a line: decisions, labels, refusals, repeats.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "askfew/core/round.h"
#include "askfew/sessions/label_outcome.h"

namespace askfew {

/// What was decided about one task of an instance.
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
  std::uint32_t task = 0;
  bool asked = false;
  bool audited = false;

  /// The probability that the label is asked, by the rule or by the audit.
  [[nodiscard]] double chance() const { return probability + (1 - probability) * audit; }
};

/// What became of a label of one task.
struct LabelReceipt {
  LabelOutcome outcome = LabelOutcome::unknown;
  std::uint64_t round = 0;    ///< the round that asked for the label; 0: not asked
  std::int64_t latency = 0;   ///< time since the question, in microseconds
  std::uint64_t version = 0;  ///< number of learner updates afterwards
  std::optional<LabelNumber> label;
  bool updated = false;
  std::uint32_t task = 0;
};

/// The result of an instance in a session of topics.
struct TopicDecisions {
  std::vector<Decision> topics;  ///< one per topic, in their order
};
/// The result of labels in a session of topics.
struct TopicReceipts {
  std::vector<LabelReceipt> topics;  ///< one per topic that has got a label, in their order
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

/// An instance that came again, with the same id and content, and the first decisions about it. The repeat is
/// not a new round, so a client that has lost an answer may ask again.
struct Repeat {
  std::uint64_t round = 0;
  std::vector<Decision> first;  ///< one per task, without its `version`; a ledger has only the round
};

/// Settings have changed after this round.
struct SettingsReceipt {
  std::uint64_t round = 0;
  std::string settings;  ///< all settings that may change, as JSON, from here on
};

/// A session of one task has a Decision and a LabelReceipt where a session of topics has several of them.
using Outcome =
    std::variant<Decision, LabelReceipt, Refusal, Repeat, SettingsReceipt, TopicDecisions, TopicReceipts>;

/// The decisions about an instance, one per task; none if the outcome is another one.
inline std::span<const Decision> decisions_of(const Outcome& outcome) {
  if (const auto* decision = std::get_if<Decision>(&outcome)) return {decision, 1};
  if (const auto* decisions = std::get_if<TopicDecisions>(&outcome)) return decisions->topics;
  return {};
}
/// What became of labels, one per task that has got a label; none if the outcome is another one.
inline std::span<const LabelReceipt> receipts_of(const Outcome& outcome) {
  if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) return {receipt, 1};
  if (const auto* receipts = std::get_if<TopicReceipts>(&outcome)) return receipts->topics;
  return {};
}
/// Was any label of the instance asked?
inline bool asks(std::span<const Decision> decisions) {
  for (const Decision& decision : decisions) {
    if (decision.asked) return true;
  }
  return false;
}

/// The refusal for lack of memory that a ledger records; null: none.
inline const Refusal* memory_refusal(const Outcome* recorded) {
  const auto* refusal = recorded == nullptr ? nullptr : std::get_if<Refusal>(recorded);
  return refusal != nullptr && refusal->code == RefusalCode::memory ? refusal : nullptr;
}

}  // namespace askfew

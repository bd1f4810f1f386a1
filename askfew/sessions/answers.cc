#include "askfew/sessions/answers.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/sessions/answer_parts.h"
#include "askfew/sessions/append_format.h"

namespace askfew {
namespace {

void append_id(const Incoming& incoming, std::string& out) {
  (out += "{\"id\":") += incoming.id_token;
}

/// The members of a decision. `why`: a sentence; empty: none.
void append_members(const Decision& decision, const LabelPlan& labels, std::string_view why,
                    std::string& out) {
  out += "\"prediction\":";
  append_label(decision.prediction, labels, out);
  out += ",\"margin\":";
  append_number(decision.margin, out);
  out += decision.asked ? ",\"ask\":true" : ",\"ask\":false";
  out += ",\"probability\":";
  append_number(decision.chance(), out);
  if (why.empty()) return;
  out += ",\"why\":";
  append_json_string(why, out);
}

/// The names of the topics for which `wanted(k)` is true, as an array.
template <class Wanted>
void append_names(const LabelPlan& labels, std::size_t topics, const Wanted& wanted, std::string& out) {
  out += '[';
  bool is_first = true;
  for (std::size_t k = 0; k < topics; ++k) {
    if (!wanted(k)) continue;
    if (!std::exchange(is_first, false)) out += ',';
    append_json_string(labels.names[k], out);
  }
  out += ']';
}

void append_decisions(const Incoming& incoming, std::span<const Decision> decisions, const LabelPlan& labels,
                      std::span<const std::string> whys, bool is_repeated, std::string& out) {
  append_id(incoming, out);
  out += ',';
  const auto why_of = [&](std::size_t k) { return k < whys.size() ? std::string_view(whys[k]) : ""; };
  if (labels.has_topics()) {
    out += "\"ask\":";
    append_names(
        labels, decisions.size(), [&](std::size_t k) { return decisions[k].asked; }, out);
    out += ",\"topics\":";
    append_topics(
        labels, decisions.size(),
        [&](std::size_t k) {
          out += '{';
          append_members(decisions[k], labels, why_of(k), out);
          out += '}';
          return true;
        },
        out);
  } else {
    append_members(decisions[0], labels, why_of(0), out);
  }
  if (decisions[0].people > 1) append_format(out, ",\"people\":{}", decisions[0].people);
  if (is_repeated) out += ",\"repeated\":true";
  out += "}\n";
}

/// The fault of a label that cannot be used, or an empty text.
std::string_view complaint(LabelOutcome outcome) {
  switch (outcome) {
    case LabelOutcome::expired:
      return "the label came too late: the question had expired";
    case LabelOutcome::never_asked:
      return "the label of this instance was not asked: it is not learned";
    case LabelOutcome::unknown:
      return "no instance with this id is known, or not any more";
    case LabelOutcome::kept:
      return "a label was given before and stays: it can be corrected, not taken back";
    default:
      return "";
  }
}

void append_latency(const LabelReceipt& receipt, std::string& out) {
  out += ",\"latency\":";
  append_number(1e-6 * static_cast<double>(receipt.latency), out);
}

void append_fault(const Incoming& incoming, std::string_view why, std::string& out) {
  out += ",\"error\":";
  append_json_string(why, out);
  append_format(out, ",\"line\":{}", incoming.number);
}

void append_receipt(const Incoming& incoming, const LabelReceipt& receipt, std::string& out) {
  append_id(incoming, out);
  (out += ",\"outcome\":\"") += text_of(receipt.outcome);
  out += '"';
  if (receipt.round > 0 || receipt.outcome == LabelOutcome::volunteered)
    out += receipt.updated ? ",\"updated\":true" : ",\"updated\":false";
  if (receipt.round > 0) append_latency(receipt, out);
  if (const std::string_view why = complaint(receipt.outcome); !why.empty()) append_fault(incoming, why, out);
  if (!incoming.note.empty()) {
    out += ",\"note\":";
    append_json_string(incoming.note, out);
  }
  out += "}\n";
}

/// The fault of the first topic whose label cannot be used, with the names of all topics that have the same
/// fault; or an empty text.
std::string complaint(std::span<const LabelReceipt> receipts, const LabelPlan& labels) {
  const auto first = std::ranges::find_if(
      receipts, [](const LabelReceipt& receipt) { return !complaint(receipt.outcome).empty(); });
  if (first == receipts.end()) return "";
  if (first->outcome == LabelOutcome::unknown) return std::string(complaint(first->outcome));
  std::string names;
  for (const LabelReceipt& receipt : receipts) {
    if (receipt.outcome == first->outcome)
      names += (names.empty() ? "" : ", ") + in_quotes(labels.names[receipt.task]);
  }
  return fmt::format("{}: {}", names, complaint(first->outcome));
}

void append_receipts(const Incoming& incoming, std::span<const LabelReceipt> receipts,
                     const LabelPlan& labels, std::string& out) {
  append_id(incoming, out);
  out += ",\"outcomes\":{";
  for (const LabelReceipt& receipt : receipts) {
    if (&receipt != receipts.data()) out += ',';
    append_json_string(labels.names[receipt.task], out);
    append_format(out, ":\"{}\"", text_of(receipt.outcome));
  }
  out += "},\"updated\":[";
  bool is_first = true;
  for (const LabelReceipt& receipt : receipts) {
    if (!receipt.updated) continue;
    if (!std::exchange(is_first, false)) out += ',';
    append_json_string(labels.names[receipt.task], out);
  }
  out += ']';
  const auto asked =
      std::ranges::find_if(receipts, [](const LabelReceipt& receipt) { return receipt.round > 0; });
  if (asked != receipts.end()) append_latency(*asked, out);
  if (const std::string why = complaint(receipts, labels); !why.empty()) append_fault(incoming, why, out);
  out += "}\n";
}

}  // namespace

void append_answer(const Incoming& incoming, const Outcome& outcome, const LabelPlan& labels,
                   std::span<const std::string> whys, std::string& out) {
  if (const auto decisions = decisions_of(outcome); !decisions.empty()) {
    append_decisions(incoming, decisions, labels, whys, false, out);
  } else if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) {
    append_receipt(incoming, *receipt, out);
  } else if (const auto* receipts = std::get_if<TopicReceipts>(&outcome)) {
    append_receipts(incoming, receipts->topics, labels, out);
  } else if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    append_error(incoming, refusal->why, out);
  } else if (const auto* changed = std::get_if<SettingsReceipt>(&outcome)) {
    append_format(out, "{{\"settings\":{},\"round\":{}}}\n", changed->settings, changed->round);
  } else {
    const auto& repeat = std::get<Repeat>(outcome);
    std::vector<std::string> first;
    if (!labels.has_topics())
      first.push_back(fmt::format("as in round {}, where it came first", repeat.round));
    append_decisions(incoming, repeat.first, labels, first, true, out);
  }
}

void append_peek(const Session& session, Incoming& incoming, std::string& out) {
  try {
    std::vector<Decision> decisions = session.peek(incoming);
    const std::vector<std::string> whys(decisions.size());
    Outcome outcome = decisions[0];
    if (session.has_topics()) outcome = TopicDecisions{std::move(decisions)};
    out += "{\"peek\":";
    append_answer(incoming, outcome, session.model().config.labels, whys, out);
    out.back() = '}';  // in place of its line end
    out += '\n';
  } catch (const DataError& error) {
    append_error(incoming, error.what(), out);
  } catch (const NumericError& error) {
    append_error(incoming, error.what(), out);
  }
}

void append_prediction(const Incoming& incoming, std::span<const Decision> decisions, const LabelPlan& labels,
                       std::string& out) {
  const auto append = [&](std::size_t k) {
    out += "\"prediction\":";
    append_label(decisions[k].prediction, labels, out);
    out += ",\"margin\":";
    append_number(decisions[k].margin, out);
    out += ",\"probability\":";
    append_number(decisions[k].chance(), out);
  };
  append_id(incoming, out);
  out += ',';
  if (labels.has_topics()) {
    out += "\"topics\":";
    append_topics(
        labels, decisions.size(),
        [&](std::size_t k) {
          out += '{';
          append(k);
          out += '}';
          return true;
        },
        out);
  } else {
    append(0);
  }
  out += "}\n";
}

std::uint64_t errors_in(std::string_view answers) {
  // A text has no quote without a backslash, so that only keys have this form.
  constexpr std::string_view first_key = "{\"error\":";
  constexpr std::string_view later_key = ",\"error\":";
  std::uint64_t errors = 0;
  while (!answers.empty()) {
    const std::string_view line = answers.substr(0, answers.find('\n'));
    errors += line.starts_with(first_key) || line.find(later_key) != std::string_view::npos ? 1 : 0;
    answers.remove_prefix(std::min(answers.size(), line.size() + 1));
  }
  return errors;
}

std::string RefusalCount::text(std::string_view what) const {
  if (refused == 0) return "";
  return fmt::format("{} of {} {} were refused: their answers have an \"error\" that says why", refused, came,
                     what);
}

void append_error(const Incoming& incoming, std::string_view why, std::string& out) {
  out += "{\"error\":";
  append_json_string(why, out);
  if (!incoming.id_token.empty()) (out += ",\"id\":") += incoming.id_token;
  append_format(out, ",\"line\":{}}}\n", incoming.number);
}

void append_error(const Incoming& incoming, std::string& out) {
  if (incoming.kind == Incoming::Kind::no_room) return append_error(incoming, incoming.error.why, out);
  append_error(incoming, fmt::format("column {}: {}", incoming.error.column, incoming.error.why), out);
}

}  // namespace askfew

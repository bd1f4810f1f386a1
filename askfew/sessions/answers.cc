#include "askfew/sessions/answers.h"

#include <charconv>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/sessions/append_format.h"

namespace askfew {
namespace {

/// The shortest text that reads back as the same number.
void append_number(double value, std::string& out) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

void append_id(const Incoming& incoming, std::string& out) {
  (out += "{\"id\":") += incoming.id_token;
}

void append_label(LabelNumber prediction, const LabelPlan& labels, std::string& out) {
  if (labels.kind == LabelPlan::Kind::one_of) {
    append_json_string(labels.names[prediction], out);
  } else {
    out += prediction == 1 ? "1" : "-1";
  }
}

void append_decision(const Incoming& incoming, const Decision& decision, const LabelPlan& labels,
                     std::string_view why, bool is_repeated, std::string& out) {
  append_id(incoming, out);
  out += ",\"prediction\":";
  append_label(decision.prediction, labels, out);
  out += ",\"margin\":";
  append_number(decision.margin, out);
  out += decision.asked ? ",\"ask\":true" : ",\"ask\":false";
  out += ",\"probability\":";
  append_number(decision.chance(), out);
  out += ",\"why\":";
  append_json_string(why, out);
  if (decision.people > 1) append_format(out, ",\"people\":{}", decision.people);
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

void append_receipt(const Incoming& incoming, const LabelReceipt& receipt, std::string& out) {
  append_id(incoming, out);
  (out += ",\"outcome\":\"") += text_of(receipt.outcome);
  out += '"';
  if (receipt.round > 0 || receipt.outcome == LabelOutcome::volunteered)
    out += receipt.updated ? ",\"updated\":true" : ",\"updated\":false";
  if (receipt.round > 0) {
    out += ",\"latency\":";
    append_number(1e-6 * static_cast<double>(receipt.latency), out);
  }
  if (const std::string_view why = complaint(receipt.outcome); !why.empty()) {
    out += ",\"error\":";
    append_json_string(why, out);
    append_format(out, ",\"line\":{}", incoming.number);
  }
  if (!incoming.note.empty()) {
    out += ",\"note\":";
    append_json_string(incoming.note, out);
  }
  out += "}\n";
}

void append_estimated(const Estimated& figure, std::string& out) {
  out += "{\"value\":";
  append_number(figure.value, out);
  out += ",\"low\":";
  append_number(figure.interval.low, out);
  out += ",\"high\":";
  append_number(figure.interval.high, out);
  out += '}';
}

void append_figure(std::string_view name, const Estimated& figure, std::string& out) {
  append_format(out, ",\"{}\":", name);
  append_estimated(figure, out);
}

void append_quality(const Quality& quality, bool of_classes, std::string& out) {
  append_format(out, "{{\"rounds\":{},\"uncovered\":{}", quality.rounds, quality.uncovered);
  append_figure("error", quality.error, out);
  append_figure("accuracy", quality.accuracy, out);
  if (!of_classes) {
    append_figure("precision", quality.precision, out);
    append_figure("recall", quality.recall, out);
    append_figure("f1", quality.f1, out);
  }
  out += '}';
}

void append_change(const Change& change, const SessionMonitor& live, std::string& out) {
  append_format(out, "{{\"kind\":\"{}\",\"round\":{},\"since\":{}}}", text_of(change.kind),
                live.rounds_before() + change.round, live.rounds_before() + change.since);
}

/// The value of doubling the labels; null while there are too few labels.
void append_advice(const LearningCurve& curve, std::string& out) {
  const auto advice = curve.advice(curve.labels());
  if (!advice) {
    out += "null";
    return;
  }
  append_format(out, "{{\"labels\":{},\"gain\":", curve.labels());
  append_number(advice->gain, out);
  out += ",\"low\":";
  append_number(advice->interval.low, out);
  out += ",\"high\":";
  append_number(advice->interval.high, out);
  out += '}';
}

void append_estimate(const SessionMonitor& live, std::string& out) {
  const QualityMonitor& watch = live.watch();
  out += "{\"whole\":";
  append_quality(watch.estimate().whole(), live.is_of_classes(), out);
  out += ",\"recent\":";
  append_quality(watch.estimate().recent(), live.is_of_classes(), out);
  out += ",\"changes\":[";
  for (const Change& change : watch.changes()) {
    if (&change != watch.changes().data()) out += ',';
    append_change(change, live, out);
  }
  out += "],\"next_labels\":";
  append_advice(watch.curve(), out);
  out += '}';
}

void append_agreement(const SharedAnswers::Report& report, std::string& out) {
  const Agreement& agreement = report.agreement;
  append_format(out, "{{\"questions\":{},\"disputed\":{}", agreement.questions, agreement.disputed);
  for (const auto& [name, figure] :
       {std::pair("kappa", agreement.kappa), std::pair("alpha", agreement.alpha)}) {
    append_format(out, ",\"{}\":", name);
    if (figure) {
      append_estimated(*figure, out);
    } else {
      out += "null";
    }
  }
  out += ",\"people\":[";
  for (std::size_t k = 0; k < report.people.size(); ++k) {
    const SharedAnswers::Person& person = report.people[k];
    out += k == 0 ? "{\"name\":" : ",{\"name\":";
    append_json_string(person.name, out);
    append_format(out, ",\"answers\":{},\"unsure\":{},\"skipped\":{},\"shared\":{},\"disagreement\":",
                  person.answers, person.unsure, person.skipped, agreement.people[k].questions);
    append_number(agreement.people[k].disagreement, out);
    out += '}';
  }
  out += "]}";
}

void append_key(std::string_view id, std::string& out) {
  if (id.starts_with('"')) {
    append_json_string(id.substr(1), out);
  } else {
    out += id;
  }
}

void append_label_name(const std::optional<LabelNumber>& label, const LabelPlan& labels, std::string& out) {
  if (label) {
    append_label(*label, labels, out);
  } else {
    out += "null";
  }
}

void append_dispute(const LabelQueue::Waiting& dispute, const LabelPlan& labels, std::string& out) {
  out += "{\"id\":";
  append_key(dispute.id, out);
  append_format(out, ",\"round\":{},\"label\":", dispute.question->query.round);
  append_label_name(dispute.question->label, labels, out);
  out += ",\"answers\":[";
  for (const Vote& vote : dispute.votes) {
    out += &vote == dispute.votes.data() ? "{\"by\":" : ",{\"by\":";
    append_json_string(vote.by, out);
    out += ",\"label\":";
    append_label_name(vote.label, labels, out);
    if (vote.unsure) out += ",\"unsure\":true";
    out += '}';
  }
  (out += "],\"instance\":") += dispute.question->line;
  out += '}';
}

void append_waiting(std::string_view id, const Question& question, const Session& session, std::string& out) {
  out += "{\"id\":";
  append_key(id, out);
  append_format(out, ",\"round\":{},\"prediction\":", question.query.round);
  append_label(question.prediction, session.model().config.labels, out);
  out += ",\"margin\":";
  append_number(question.query.score.margin, out);
  out += ",\"probability\":";
  append_number(question.query.chance(), out);
  out += ",\"age\":";
  append_number(1e-6 * static_cast<double>(session.time() - question.time), out);
  (out += ",\"instance\":") += question.line;
  out += '}';
}

}  // namespace

void append_answer(const Incoming& incoming, const Outcome& outcome, const LabelPlan& labels,
                   std::string_view why, std::string& out) {
  if (const auto* decision = std::get_if<Decision>(&outcome)) {
    append_decision(incoming, *decision, labels, why, false, out);
  } else if (const auto* receipt = std::get_if<LabelReceipt>(&outcome)) {
    append_receipt(incoming, *receipt, out);
  } else if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    append_error(incoming, refusal->why, out);
  } else if (const auto* changed = std::get_if<SettingsReceipt>(&outcome)) {
    append_format(out, "{{\"settings\":{},\"round\":{}}}\n", changed->settings, changed->round);
  } else {
    const Decision& first = std::get<Repeat>(outcome).first;
    append_decision(incoming, first, labels, fmt::format("as in round {}, where it came first", first.round),
                    true, out);
  }
}

void append_prediction(const Incoming& incoming, const Decision& decision, const LabelPlan& labels,
                       std::string& out) {
  append_id(incoming, out);
  out += ",\"prediction\":";
  append_label(decision.prediction, labels, out);
  out += ",\"margin\":";
  append_number(decision.margin, out);
  out += ",\"probability\":";
  append_number(decision.chance(), out);
  out += "}\n";
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

void append_report(const Session& session, std::string& out) {
  const Tally& tally = session.model().tally(0);
  const Session::Counts counts = session.counts();
  append_format(out, "{{\"report\":{{\"rounds\":{},\"asked\":{},\"expected_asked\":", tally.round,
                tally.asked);
  append_number(tally.expected_asked, out);
  append_format(out,
                ",\"updates\":{},\"pending\":{},\"expired\":{},\"refused\":{},\"repeats\":{},\"labels\":{{",
                tally.updates, counts.waiting, counts.expired, counts.refused, counts.repeats);
  for (std::size_t k = 0; k < label_outcomes; ++k) {
    append_format(out, "{}\"{}\":{}", k == 0 ? "" : ",", text_of(static_cast<LabelOutcome>(k)),
                  counts.labels[k]);
  }
  out += '}';
  if (const std::uint64_t seeds = session.model().config.seeds.count; seeds > 0) {
    append_format(out, ",\"seed_labels\":{}", seeds);
  }
  if (const SessionMonitor* watch = session.watch()) {
    out += ",\"estimate\":";
    append_estimate(*watch, out);
  }
  if (!session.shared_answers().is_empty()) {
    out += ",\"agreement\":";
    append_agreement(session.shared_answers().report(), out);
  }
  out += "}}\n";
}

void append_pending(const Session& session, const PendingRequest& request, std::string& out) {
  out += "{\"pending\":[";
  bool is_first = true;
  for (const LabelQueue::Waiting& waiting : session.pending(request)) {
    if (!std::exchange(is_first, false)) out += ',';
    append_waiting(waiting.id, *waiting.question, session, out);
  }
  append_format(out, "],\"waiting\":{}}}\n", session.counts().waiting);
}

void append_disputed(const Session& session, const DisputedRequest& request, std::string& out) {
  out += "{\"disputed\":[";
  bool is_first = true;
  for (const LabelQueue::Waiting& dispute : session.disputed(request.limit)) {
    if (!std::exchange(is_first, false)) out += ',';
    append_dispute(dispute, session.model().config.labels, out);
  }
  out += "]}\n";
}

void append_changes(std::span<const Change> changes, const SessionMonitor& live, std::string& out) {
  for (const Change& change : changes) {
    out += "{\"change\":";
    append_change(change, live, out);
    out += "}\n";
  }
}

}  // namespace askfew

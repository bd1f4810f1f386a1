#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/sessions/answer_parts.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/append_format.h"

// The answers to lines that ask about the session as a whole.

namespace askfew {
namespace {

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

/// `topic`: nothing if the session has one task.
void append_change(const Change& change, const SessionMonitor& live, const std::string* topic,
                   std::string& out) {
  out += '{';
  if (topic != nullptr) {
    out += "\"topic\":";
    append_json_string(*topic, out);
    out += ',';
  }
  append_format(out, "\"kind\":\"{}\",\"round\":{},\"since\":{}}}", text_of(change.kind),
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
    append_change(change, live, nullptr, out);
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

/// The label and the answers to a question about one task.
void append_votes(const TaskQuestion& question, const LabelPlan& labels, std::string& out) {
  out += "\"label\":";
  append_label_name(question.label, labels, out);
  out += ",\"answers\":[";
  for (const Vote& vote : question.votes) {
    out += &vote == question.votes.data() ? "{\"by\":" : ",{\"by\":";
    append_json_string(vote.by, out);
    out += ",\"label\":";
    append_label_name(vote.label, labels, out);
    if (vote.unsure) out += ",\"unsure\":true";
    out += '}';
  }
  out += ']';
}

/// The prediction and the decision about one task.
void append_asked(const TaskQuestion& question, const LabelPlan& labels, std::string& out) {
  out += "\"prediction\":";
  append_label(question.prediction, labels, out);
  out += ",\"margin\":";
  append_number(question.query.score.margin, out);
  out += ",\"probability\":";
  append_number(question.query.chance(), out);
}

/// The members of the tasks for which `wanted` is true: of the only task, or of topics by their names.
template <class Wanted, class Append>
void append_tasks(const Question& question, const LabelPlan& labels, const Wanted& wanted,
                  const Append& append, std::string& out) {
  if (!labels.has_topics()) return append(question.tasks[0], labels, out);
  out += "\"topics\":";
  append_topics(
      labels, question.tasks.size(),
      [&](std::size_t k) {
        if (!wanted(question.tasks[k])) return false;
        out += '{';
        append(question.tasks[k], labels, out);
        out += '}';
        return true;
      },
      out);
}

void append_question(const LabelQueue::Waiting& waiting, std::string& out) {
  out += "{\"id\":";
  append_key(waiting.id, out);
  append_format(out, ",\"round\":{},", waiting.question->round());
}

void append_dispute(const LabelQueue::Waiting& dispute, const LabelPlan& labels, std::string& out) {
  append_question(dispute, out);
  append_tasks(*dispute.question, labels, is_disputed, append_votes, out);
  (out += ",\"instance\":") += dispute.question->line;
  out += '}';
}

void append_waiting(const LabelQueue::Waiting& waiting, const Session& session, std::string& out) {
  const Question& question = *waiting.question;
  append_question(waiting, out);
  const auto is_open = [](const TaskQuestion& task) { return task.state == QuestionState::waiting; };
  append_tasks(question, session.model().config.labels, is_open, append_asked, out);
  out += ",\"age\":";
  append_number(1e-6 * static_cast<double>(session.time() - question.time), out);
  (out += ",\"instance\":") += question.line;
  out += '}';
}

void append_tally(const Tally& tally, std::string& out) {
  append_format(out, "\"asked\":{},\"expected_asked\":", tally.asked);
  append_number(tally.expected_asked, out);
  append_format(out, ",\"updates\":{}", tally.updates);
}

void append_outcomes(const Session::LabelCounts& counts, std::string& out) {
  out += ",\"labels\":{";
  for (std::size_t k = 0; k < label_outcomes; ++k) {
    append_format(out, "{}\"{}\":{}", k == 0 ? "" : ",", text_of(static_cast<LabelOutcome>(k)),
                  counts.labels[k]);
  }
  out += '}';
}

/// The estimate and the agreement of one task, where there are any.
void append_quality_of_task(const Session& session, std::size_t task, std::string& out) {
  if (!session.monitors().empty()) {
    out += ",\"estimate\":";
    append_estimate(session.monitors()[task], out);
  }
  const SharedAnswers& shared = session.shared_answers()[task];
  if (shared.is_empty()) return;
  out += ",\"agreement\":";
  append_agreement(shared.report(), out);
}

void append_topic_reports(const Session& session, std::string& out) {
  const std::vector<Session::LabelCounts> counts = session.counts_by_task();
  append_topics(
      session.model().config.labels, counts.size(),
      [&](std::size_t k) {
        out += '{';
        append_tally(session.tally(k), out);
        append_format(out, ",\"pending\":{},\"expired\":{}", counts[k].waiting, counts[k].expired);
        append_outcomes(counts[k], out);
        append_quality_of_task(session, k, out);
        out += '}';
        return true;
      },
      out);
}

}  // namespace

void append_report(const Session& session, std::string& out) {
  const Session::Counts counts = session.counts();
  append_format(out, "{{\"report\":{{\"rounds\":{},", session.model().tally(0).round);
  append_tally(session.tally(), out);
  append_format(out, ",\"pending\":{},\"expired\":{},\"refused\":{},\"repeats\":{}", counts.waiting,
                counts.expired, counts.refused, counts.repeats);
  append_outcomes(counts, out);
  if (const std::uint64_t seeds = session.model().config.seeds.count; seeds > 0) {
    append_format(out, ",\"seed_labels\":{}", seeds);
  }
  if (session.has_topics()) {
    if (const auto opened = session.opened()) append_format(out, ",\"opened\":{}", *opened);
    out += ",\"topics\":";
    append_topic_reports(session, out);
  } else {
    append_quality_of_task(session, 0, out);
  }
  out += "}}\n";
}

void append_pending(const Session& session, const PendingRequest& request, std::string& out) {
  out += "{\"pending\":[";
  bool is_first = true;
  for (const LabelQueue::Waiting& waiting : session.pending(request)) {
    if (!std::exchange(is_first, false)) out += ',';
    append_waiting(waiting, session, out);
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

void append_changes(std::span<const Change> changes, const SessionMonitor& live, const std::string* topic,
                    std::string& out) {
  for (const Change& change : changes) {
    out += "{\"change\":";
    append_change(change, live, topic, out);
    out += "}\n";
  }
}

}  // namespace askfew

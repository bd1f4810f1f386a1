#pragma once

#include <span>
#include <string>

#include "askfew/sessions/incoming.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session.h"

namespace askfew {

// The answers to lines: each function appends one line of JSON with its line end.

/// The answer to an instance or a label, accepted or refused. `whys`: a sentence per task of an instance; an
/// empty one is left out.
void append_answer(const Incoming& incoming, const Outcome& outcome, const LabelPlan& labels,
                   std::span<const std::string> whys, std::string& out);
/// Predictions that are no rounds, one per task.
void append_prediction(const Incoming& incoming, std::span<const Decision> decisions, const LabelPlan& labels,
                       std::string& out);
/// The answer to a line that requests what would be decided about an instance. Only the row of the instance
/// changes.
void append_peek(const Session& session, Incoming& incoming, std::string& out);
/// An error about any line, with the line's number, and its id if known.
void append_error(const Incoming& incoming, std::string_view why, std::string& out);
/// How many of these answers, each with its line end, are errors or have one.
std::uint64_t errors_in(std::string_view answers);
/// What came, lines or messages, and how much of it was answered with an error.
struct RefusalCount {
  std::uint64_t came = 0;
  std::uint64_t refused = 0;

  /// For a person, at the end; an empty text: nothing was refused. `what`: "lines" or "messages".
  [[nodiscard]] std::string text(std::string_view what) const;
};
/// An error about a malformed line, or about an instance for which there is no memory.
void append_error(const Incoming& incoming, std::string& out);
/// The answer to a line that requests a report.
void append_report(const Session& session, std::string& out);
/// The answer to a line that requests the waiting questions.
void append_pending(const Session& session, const PendingRequest& request, std::string& out);
/// The answer to a line that requests the questions on which people disagree.
void append_disputed(const Session& session, const DisputedRequest& request, std::string& out);
/// The changes that a monitor of the session noticed, one line per change. `topic`: its name; null if the
/// session has one task.
void append_changes(std::span<const Change> changes, const SessionMonitor& live, const std::string* topic,
                    std::string& out);

}  // namespace askfew

#pragma once

#include <span>
#include <string>

#include "askfew/sessions/incoming.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session.h"

namespace askfew {

// What is answered to a line: one line of JSON each, appended with its end.

/// Of an instance or a label that was taken, or could not be. `why`: a sentence about an instance.
void append_answer(const Incoming& incoming, const Outcome& outcome, const LabelPlan& labels,
                   std::string_view why, std::string& out);
/// Of any line, with the line's number, and its id where it is known.
void append_error(const Incoming& incoming, std::string_view why, std::string& out);
/// Of a malformed line.
void append_error(const Incoming& incoming, std::string& out);
/// Of a line that wants a report.
void append_report(const Session& session, std::string& out);
/// What the session noticed, a line each.
void append_changes(std::span<const Change> changes, std::string& out);

}  // namespace askfew

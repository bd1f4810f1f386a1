#pragma once

#include <cstdint>
#include <string>

#include "askfew/sessions/incoming.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session.h"
#include "askfew/sessions/why.h"

namespace askfew {

/// Writes the answers to the lines that a session takes, or has taken again from its ledger. Each change that
/// the session notices is reported once, after the answer to the instance that showed it.
class AnswerWriter {
 public:
  /// Changes up to this round of the session's monitor were reported before. REQUIRES: the session outlives
  /// this object.
  AnswerWriter(const Session& session, std::uint64_t told) : session_(session), why_(session), told_(told) {}

  /// Appends the answer to the line that the session has taken last. `shown`: the line as the answer names
  /// it.
  void append(const Incoming& incoming, const Incoming& shown, const Outcome& outcome, std::string& answers);

  /// Changes up to this round were reported.
  [[nodiscard]] std::uint64_t told() const { return told_; }
  /// Reports later changes again.
  void set_told(std::uint64_t told) { told_ = told; }

 private:
  void append_new_changes(std::string& answers);

  const Session& session_;
  Why why_;
  std::uint64_t told_;
};

/// The rounds that the session's monitor has seen; 0 if there is no monitor.
std::uint64_t monitored_rounds(const Session& session);

}  // namespace askfew

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "askfew/sessions/incoming.h"
#include "askfew/sessions/outcome.h"
#include "askfew/sessions/session.h"
#include "askfew/sessions/why.h"

namespace askfew {

/// Writes the answers to the lines that a session takes, or has taken again from its ledger. Each change that
/// the session notices is reported once, after the answer to the instance that showed it.
class AnswerWriter {
 public:
  /// Of each monitor of the session: changes up to this round were reported.
  using Told = std::vector<std::uint64_t>;

  /// `told`: what was reported before. REQUIRES: the session outlives this object.
  AnswerWriter(const Session& session, Told told)
      : session_(session), why_(session), told_(std::move(told)) {}

  /// Appends the answer to the line that the session has taken last. `shown`: the line as the answer names
  /// it.
  void append(const Incoming& incoming, const Incoming& shown, const Outcome& outcome, std::string& answers);

  [[nodiscard]] const Told& told() const { return told_; }
  /// Reports later changes again.
  void set_told(const Told& told) { told_ = told; }

 private:
  void append_new_changes(std::string& answers);

  const Session& session_;
  Why why_;
  Told told_;
};

/// The rounds that the session's monitors have seen.
AnswerWriter::Told monitored_rounds(const Session& session);

}  // namespace askfew

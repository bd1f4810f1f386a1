#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/session.h"
#include "askfew/sessions/why.h"

// Threads: a Recorder and its session are for one thread at a time.

namespace askfew {

/// Answers lines, and records them first. Lines that are at hand at the same time are a group:
///
///   understood lines to the ledger -> the session takes them -> outcomes to the ledger -> answers
///
/// Changes that the session notices are told once, each after the answer to the instance it was noticed in.
/// If the lines cannot be written, none of the group is taken in, and each is told so. If the outcomes
/// cannot, they follow from what is written already and come before the next lines. So the ledger always
/// holds what the session has taken, and nothing else. Malformed lines and reports are not recorded.
class Recorder {
 public:
  /// `ledger`: none if nothing is to be recorded; it may still owe something. `sync`: nothing is answered
  /// that the disk does not hold. `clock_shift`: from the machine's clock to the session's time. REQUIRES:
  /// session and ledger outlive it.
  Recorder(Session& session, LedgerWriter* ledger, bool sync, std::int64_t clock_shift = 0)
      : session_(session),
        why_(session),
        ledger_(ledger),
        sync_(sync),
        clock_shift_(clock_shift),
        told_(session.model().tally(0).round) {}

  /// Appends the answers to a group of lines that came at this time of the machine's clock. REQUIRES: not
  /// before those that came before, as an EvenClock has it; IncomingReader::padding bytes behind each line
  /// are readable. THROWS: FileError where a sync has failed.
  void answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers);

 private:
  void read(std::span<const std::string_view> lines);
  [[nodiscard]] bool record_lines(std::int64_t came);
  void take(Incoming& incoming, std::int64_t time, std::string& answers);
  void tell_changes(std::string& answers);
  void refuse(const Incoming& incoming, std::string& answers) const;

  Session& session_;
  Why why_;
  LedgerWriter* ledger_;
  bool sync_;
  std::int64_t clock_shift_;
  std::uint64_t told_;  // changes up to this round
  std::uint64_t lines_ = 0;
  std::vector<Incoming> incoming_;  // as many as the largest group had; the first so many are in use
  std::size_t size_ = 0;
  std::string payload_;
};

}  // namespace askfew

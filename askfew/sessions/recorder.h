#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/session.h"
#include "askfew/sessions/why.h"

// Threads: a Recorder and its session are for one thread at a time.

namespace askfew {

/// Answers lines after recording them. Lines that are available at the same time form a group:
///
///   understood lines to the ledger -> the session takes them -> outcomes to the ledger -> answers
///
/// Each change that the session notices is reported once, after the answer to the instance that showed it. If
/// the lines cannot be written, no line of the group is taken, and the answers say so. If the outcomes cannot
/// be written, they are written before the next lines; they follow from the lines already written. So the
/// ledger always contains exactly the lines that the session has taken. A database that does not confirm a
/// group may not have it: then the answers say so, nothing was acknowledged, and the group is written before
/// the next lines. Malformed lines and reports are not recorded.
class Recorder {
 public:
  /// `ledger`: null if nothing is recorded; it may still have unwritten records. `sync`: answer only after
  /// the disk has the records. `clock_shift`: difference from the machine's clock to the session's time.
  /// REQUIRES: session and ledger outlive this object.
  Recorder(Session& session, LedgerWriter* ledger, bool sync, std::int64_t clock_shift = 0)
      : session_(session),
        why_(session),
        ledger_(ledger),
        sync_(sync),
        clock_shift_(clock_shift),
        told_(session.watch() == nullptr ? 0 : session.watch()->watch().estimate().rounds()) {}

  /// Shows every line to the observer after the session has taken it. REQUIRES: the observer outlives this
  /// object.
  void show_lines_to(const LedgerObserver& observer) { observer_ = &observer; }

  /// Leaves `commit` of the ledger to the caller, who acknowledges several calls of `answer` together.
  void leave_commits_to_caller() { is_committing_ = false; }

  /// Appends the answers to a group of lines that arrived at this time of the machine's clock. REQUIRES:
  /// times never decrease (an EvenClock ensures this); IncomingReader::padding bytes after each line are
  /// readable. THROWS: FileError if a sync failed.
  void answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers);
  /// Tries once more to write outcomes that could not be written; returns whether all are written.
  [[nodiscard]] bool finish() {
    return ledger_ == nullptr || (ledger_->flush() && (!is_committing_ || ledger_->commit(sync_)));
  }

 private:
  /// Reads lines up to the first that changes settings: the meaning of later lines may depend on it. Returns
  /// their number.
  std::size_t read(std::span<const std::string_view> lines);
  /// Answers the lines that were read. `fixed`: what was fixed before them.
  void answer_group(const IncomingReader::Fixed& fixed, std::int64_t came, std::string& answers);
  [[nodiscard]] bool record_lines(std::int64_t came);
  enum class Recorded : std::uint8_t {
    yes,
    no,          ///< the lines are in no ledger, and were not taken
    unconfirmed  ///< the lines were taken, and may be in no ledger
  };
  void answer_lines(Recorded recorded, std::int64_t time, std::string& answers);
  void take(Incoming& incoming, std::int64_t time, std::string& answers);
  void tell_changes(std::string& answers);
  void refuse(const Incoming& incoming, Recorded recorded, std::string& answers) const;

  Session& session_;
  Why why_;
  LedgerWriter* ledger_;
  bool sync_;
  bool is_committing_ = true;
  std::int64_t clock_shift_;
  std::uint64_t told_;  // changes up to this round of the monitor were reported
  std::uint64_t lines_ = 0;
  std::vector<Incoming> incoming_;  // as many as in the largest group; only the first entries are in use
  std::size_t size_ = 0;
  std::string payload_;
  const LedgerObserver* observer_ = nullptr;
};

}  // namespace askfew

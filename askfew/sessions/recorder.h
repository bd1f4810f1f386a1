#pragma once

// Answers lines after recording them in the ledger.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/answer_writer.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/session.h"

// Threads: a Recorder and its session are for one thread at a time.

namespace askfew {

class LedgerCheckpoints;
struct SessionLedger;

/// The source of lines that can be read again, such as a partition of messages. It knows its place in the
/// ledger, because it records with each group of lines where they came from. Lines have the numbers that they
/// have in the call of Recorder::answer, from 0.
class LineSource {
 public:
  LineSource() = default;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  virtual ~LineSource() = default;

  /// Sees a line that was read, and may change what it is.
  virtual void see_read(std::size_t line, Incoming& incoming) = 0;
  /// Adds records that are written together with the lines of a group, before them.
  virtual void record(std::size_t first, std::span<const Incoming> group, LedgerWriter& ledger) = 0;
  /// Sees the answer to a line. `outcome`: null if the line was not taken.
  virtual void see_answer(std::size_t line, const Outcome* outcome, std::string_view answer) = 0;
};

/// Answers lines after recording them. Lines that are available at the same time form a group:
///
///   understood lines to the ledger -> the session takes them -> outcomes to the ledger -> answers
///
/// If the lines cannot be written, no line of the group is taken, and the answers say so. If the outcomes
/// cannot be written, they are written before the next lines; they follow from the lines already written. So
/// the ledger always contains exactly the lines that the session has taken. A database that does not confirm
/// a group may not have it: then the answers say so, nothing was acknowledged, and the group is written
/// before the next lines. Malformed lines and reports are not recorded.
class Recorder {
 public:
  /// `ledger`: null if nothing is recorded; it may still have unwritten records. `sync`: answer only after
  /// the disk has the records. `clock_shift`: difference from the machine's clock to the session's time.
  /// REQUIRES: session and ledger outlive this object.
  Recorder(Session& session, LedgerWriter* ledger, bool sync, std::int64_t clock_shift = 0)
      : session_(session),
        writer_(session, monitored_rounds(session)),
        ledger_(ledger),
        sync_(sync),
        clock_shift_(clock_shift) {}
  /// Of a session that was opened, with checkpoints. REQUIRES: as above.
  Recorder(const SessionLedger& live, bool sync);

  /// Shows every line to the observer after the session has taken it. REQUIRES: the observer outlives this
  /// object.
  void show_lines_to(const LedgerObserver& observer) { observer_ = &observer; }

  /// Leaves `commit` of the ledger to the caller, who acknowledges several calls of `answer` together.
  void leave_commits_to_caller() { is_committing_ = false; }

  /// The next line has this number in answers; otherwise lines are numbered from 1.
  void number_next(std::uint64_t number) { lines_ = number - 1; }

  /// All lines come from this source. If its lines cannot be recorded, `answer` throws a FileError instead of
  /// answering them, since they can be read again. REQUIRES: there is a ledger; the source outlives this
  /// object.
  void set_source(LineSource& source) { source_ = &source; }

  /// Appends the answers to a group of lines that arrived at this time of the machine's clock. REQUIRES:
  /// times never decrease (an EvenClock ensures this); IncomingReader::padding bytes after each line are
  /// readable. THROWS: FileError if a sync failed.
  void answer(std::span<const std::string_view> lines, std::int64_t came, std::string& answers);
  /// The same for instances that are no lines.
  void answer(std::span<const Instance> instances, std::int64_t came, std::string& answers);
  /// Tries once more to write outcomes that could not be written; returns whether all are written.
  [[nodiscard]] bool finish() {
    return ledger_ == nullptr || (ledger_->flush() && (!is_committing_ || ledger_->commit(sync_)));
  }
  /// The same when no more lines come: the ledger may get a checkpoint. Tries for a second: a database that
  /// was away a moment ago may be back.
  [[nodiscard]] bool end();

 private:
  template <class Given>
  void answer_all(std::span<const Given> given, std::int64_t came, std::string& answers);
  /// Reads lines up to the first that changes settings: the meaning of later lines may depend on it. Returns
  /// their number.
  template <class Given>
  std::size_t read(std::span<const Given> lines);
  /// Answers the lines that were read. `fixed`: what was fixed before them.
  void answer_group(const IncomingReader::Fixed& fixed, std::int64_t came, std::string& answers);
  /// What lines of the group fixed that are not recorded does not stay: a replay does not see them. `fixed`:
  /// before the group.
  void unfix(const IncomingReader::Fixed& fixed);
  [[nodiscard]] bool record_lines(std::int64_t came);
  enum class Recorded : std::uint8_t {
    yes,
    no,          ///< the lines are in no ledger, and were not taken
    unconfirmed  ///< the lines were taken, and may be in no ledger
  };
  void answer_lines(Recorded recorded, std::int64_t time, std::string& answers);
  /// Appends the answer to one line. Returns its outcome, if the session has taken it.
  std::optional<Outcome> answer_line(Incoming& incoming, Recorded recorded, std::int64_t time,
                                     std::string& answers);
  /// Shows the answers of the group, which begin here, to the source.
  void show_answers(std::string_view answers) const;
  [[nodiscard]] Outcome take(Incoming& incoming, std::int64_t time, std::string& answers);
  void refuse(const Incoming& incoming, Recorded recorded, std::string& answers) const;

  Session& session_;
  AnswerWriter writer_;
  LedgerWriter* ledger_;
  bool sync_;
  bool is_committing_ = true;
  std::int64_t clock_shift_;
  AnswerWriter::Told told_before_;  // before the last group
  std::uint64_t lines_ = 0;
  std::vector<Incoming> incoming_;  // as many as in the largest group; only the first entries are in use
  std::size_t size_ = 0;
  std::string payload_;
  Incoming again_;  // scratch
  LedgerCheckpoints* checkpoints_ = nullptr;
  const LedgerObserver* observer_ = nullptr;
  LineSource* source_ = nullptr;
  struct Answered {
    std::optional<Outcome> outcome;
    std::size_t end = 0;  // of the answer, from the beginning of the group's answers
  };
  std::vector<Answered> answered_;  // of the group, for the source
  std::size_t first_ = 0;           // number of the group's first line in the call
};

}  // namespace askfew

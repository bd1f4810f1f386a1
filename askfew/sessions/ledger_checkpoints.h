#pragma once

#include <cstdint>

#include "askfew/ledger/ledger_writer.h"
#include "askfew/sessions/checkpoint.h"
#include "askfew/sessions/session.h"

// Threads: an object is for one thread at a time.

namespace askfew {

/// Writes checkpoints into a ledger now and then. They take at most an eighth of what the ledger has beside
/// them, and a quarter with those that are written when a stream ends. A state is large in memory, also where
/// it becomes small when it is packed: the larger it is, the more lines come between two checkpoints, so that
/// making them takes a small part of the time of the lines.
class LedgerCheckpoints {
 public:
  /// `past`: what the ledger has so far. REQUIRES: session and ledger outlive this object.
  LedgerCheckpoints(Session& session, LedgerWriter& ledger, Beside beside, const LedgerPast& past)
      : session_(session), ledger_(ledger), beside_(std::move(beside)), past_(past) {}

  /// So many lines were added to the ledger.
  void count_lines(std::uint64_t lines) { past_.lines += lines; }

  // A failure to write leaves the ledger as it was. `clock_shift`: as in a Recorder. REQUIRES: the session
  // has taken all lines of the ledger.

  void write_if_due(std::int64_t clock_shift);
  /// No line comes for some time.
  void write_at_end(std::int64_t clock_shift);
  /// Writes a checkpoint here. Returns whether it is written.
  bool write(std::int64_t clock_shift);

 private:
  static constexpr std::uint64_t share_while_running = 8;
  static constexpr std::uint64_t share_at_end = 4;

  [[nodiscard]] bool is_within(std::uint64_t share) const;
  void write_within(std::uint64_t between, std::uint64_t share, std::int64_t clock_shift);
  [[nodiscard]] std::string payload_here(std::int64_t clock_shift);
  bool append(const std::string& payload);

  Session& session_;
  LedgerWriter& ledger_;
  Beside beside_;
  LedgerPast past_;
};

}  // namespace askfew

#include "askfew/sessions/ledger_checkpoints.h"

#include <algorithm>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {

/// Would one more checkpoint of the size of the last one keep to the share?
bool LedgerCheckpoints::is_within(std::uint64_t share) const {
  const std::uint64_t others = ledger_.bytes() - std::min(ledger_.bytes(), past_.checkpoints);
  return past_.checkpoints + past_.last.bytes <= others / share;
}

void LedgerCheckpoints::write_if_due(std::int64_t clock_shift) {
  constexpr std::uint64_t least = std::uint64_t{1} << 17;
  write_within(std::max(least, 8 * past_.last.state_bytes), share_while_running, clock_shift);
}

void LedgerCheckpoints::write_at_end(std::int64_t clock_shift) {
  constexpr std::uint64_t least = std::uint64_t{1} << 14;
  write_within(std::max({least, past_.last.bytes / 8, past_.last.state_bytes / 64}), share_at_end,
               clock_shift);
}

void LedgerCheckpoints::write_within(std::uint64_t between, std::uint64_t share, std::int64_t clock_shift) {
  if (ledger_.bytes() < past_.last.end + between || !is_within(share) || !ledger_.is_flushed()) return;
  const std::string payload = payload_here(clock_shift);
  if (payload.empty()) return;
  past_.last.bytes = payload.size();  // the state may have grown since the last one
  past_.last.state_bytes = checkpoint_head_of(payload).state_bytes;
  if (is_within(share)) {
    append(payload);
  } else {
    past_.last.end = ledger_.bytes();  // not again before more lines have come
  }
}

bool LedgerCheckpoints::write(std::int64_t clock_shift) {
  if (!ledger_.is_flushed()) return false;
  const std::string payload = payload_here(clock_shift);
  return !payload.empty() && append(payload);
}

std::string LedgerCheckpoints::payload_here(std::int64_t clock_shift) {
  Checkpoint checkpoint{.lines = past_.lines,
                        .set_aside = past_.set_aside,
                        .clock_shift = clock_shift,
                        .time = session_.time(),
                        .checkpoints = past_.checkpoints,
                        .beside = beside_.name};
  try {
    checkpoint.state = session_.snapshot();
    if (beside_.save) beside_.save(checkpoint.state);
    return checkpoint_payload(checkpoint);
  } catch (const ModelError&) {
    return "";  // a number that is not finite: no model of it can be loaded, and the lines say everything
  } catch (const ResourceError&) {
    return "";  // no memory to pack it
  }
}

bool LedgerCheckpoints::append(const std::string& payload) {
  const std::uint64_t before = ledger_.bytes();
  const LedgerWriter::Mark mark = ledger_.mark();
  ledger_.add(ledger::Type::checkpoint, payload);
  if (!ledger_.flush()) {
    ledger_.retract(mark);
    past_.last.end = before;  // not again before more lines have come
    return false;
  }
  past_.last.bytes = ledger_.bytes() - before;
  past_.last.end = ledger_.bytes();
  past_.checkpoints += past_.last.bytes;
  return true;
}

}  // namespace askfew

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/core/snapshot.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// The content of a checkpoint: the state of a session after some lines of its ledger, so that a restart
/// needs only the lines after it.
struct Checkpoint {
  std::uint64_t lines = 0;        ///< of the ledger, up to here
  std::uint64_t set_aside = 0;    ///< of these, lines that were not applied
  std::int64_t clock_shift = 0;   ///< from the machine's clock to the session's time
  std::int64_t time = 0;          ///< of the session
  std::uint64_t checkpoints = 0;  ///< bytes of the ledger's earlier checkpoints
  std::string beside;             ///< the name of what is kept beside the session; empty: nothing
  std::uint64_t state_bytes = 0;  ///< of the state before it was packed, in one that was read
  /// What stood before the checkpoint, and is no longer in the ledger.
  struct Dropped {
    std::uint64_t bytes = 0;
    ledger::Link hash = 0;  ///< of its last record, which depends on all of them
  };
  std::optional<Dropped> dropped{};
  Snapshot state{};  ///< of the session, and of what is kept beside it
};

/// What a ledger has, as far as checkpoints need it.
struct LedgerPast {
  std::uint64_t lines = 0;
  std::uint64_t set_aside = 0;    ///< number of lines that were not applied
  std::uint64_t checkpoints = 0;  ///< bytes of all checkpoints
  struct Last {
    std::uint64_t bytes = 0;
    std::uint64_t end = 0;
    std::uint64_t state_bytes = 0;  ///< before they were packed
  };
  Last last{};  ///< the last checkpoint
};

std::string checkpoint_payload(const Checkpoint& checkpoint);
/// All but the state, which is left empty. THROWS: ModelError.
Checkpoint checkpoint_head_of(std::string_view payload);
/// THROWS: ModelError.
Checkpoint checkpoint_of(std::string_view payload);

/// What a program keeps beside a session, and that follows from the ledger as well. Names of its tensors
/// begin with `beside.`.
struct Beside {
  std::string name{};  ///< of this kind of program; empty: it keeps nothing
  std::function<void(Snapshot&)> save{};
  std::function<void(const Snapshot&)> load{};  ///< may throw a ModelError
};
inline constexpr std::string_view beside_part_name = "beside";

/// The name of a part in which the state of a session differs from a recorded one; empty: none. What is kept
/// beside the session, and which version of askfew has written it, are not compared.
std::string difference_of(const Snapshot& session, const Snapshot& recorded);

}  // namespace askfew

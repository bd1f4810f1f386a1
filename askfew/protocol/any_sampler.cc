#include "askfew/protocol/any_sampler.h"

namespace askfew {

void AnySampler::save(Snapshot& snapshot, const std::string& prefix) const {
  SnapshotWriter visit(snapshot, prefix);
  write_state(visit);
}

void AnySampler::load(const Snapshot& snapshot, const std::string& prefix) {
  SnapshotReader visit(snapshot, prefix);
  read_state(visit);
  if (!consistent()) throw ModelError(prefix + "sampler: its parts do not match");
}

}  // namespace askfew

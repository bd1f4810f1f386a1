#include "askfew/workflows/replay.h"

#include "askfew/sessions/session_ledger.h"

namespace askfew {

SessionSummary summary_of(const Session& session) {
  const ModelConfig& config = session.model().config;
  SessionSummary summary{.learner = text_of(config.sampler.learner),
                         .rule = text_of(config.sampler.rule),
                         .update = std::string(text_of(config.sampler.update)),
                         .seed = config.seed,
                         .seed_labels = config.seeds.count,
                         .tally = session.model().tally(0),
                         .counts = session.counts(),
                         .multiclass = session.model().decisions != nullptr};
  if (session.watch() != nullptr) {
    summary.estimate = estimate_of(session.watch()->watch());
    for (Change& change : summary.estimate->changes) {
      change.round += session.watch()->rounds_before();
      change.since += session.watch()->rounds_before();
    }
  }
  return summary;
}

ReplayResult replay(const ReplayOptions& options, const ReplayHooks& hooks) {
  const auto store = options.ledger.for_reading();
  LedgerReader reader(*store);
  ReplayResult result;
  result.session =
      session_of(reader, options.ledger.name(), std::make_shared<MemoryLimit>(options.max_memory));
  const ReplayEnd end =
      replay(reader, options.ledger.name(), *result.session, {.line = hooks.line}, hooks.stop);
  result.summary = summary_of(*result.session);
  result.lines = end.lines;
  result.torn_bytes = reader.torn_bytes();
  result.set_aside = end.set_aside;
  result.unrecorded = end.unrecorded.size();
  result.stopped = end.stopped;
  return result;
}

}  // namespace askfew

#include "askfew/workflows/replay.h"

#include <algorithm>
#include <set>

#include "askfew/models/topic_shards.h"
#include "askfew/sessions/session_ledger.h"

namespace askfew {

namespace {

/// Rounds are those of the session.
std::optional<EstimateSummary> estimate_of(const Session& session, std::size_t task) {
  if (session.monitors().empty()) return std::nullopt;
  const SessionMonitor& monitor = session.monitors()[task];
  EstimateSummary estimate = estimate_of(monitor.watch());
  for (Change& change : estimate.changes) {
    change.round += monitor.rounds_before();
    change.since += monitor.rounds_before();
  }
  return estimate;
}

}  // namespace

SessionSummary summary_of(const Session& session) {
  const ModelConfig& config = session.model().config;
  SessionSummary summary{.learner = text_of(config.sampler.learner),
                         .rule = text_of(config.sampler.rule),
                         .update = std::string(text_of(config.sampler.update)),
                         .seed = config.seed,
                         .seed_labels = config.seeds.count,
                         .tally = session.tally(),
                         .counts = session.counts(),
                         .multiclass = session.model().has_classes()};
  if (!session.has_topics()) {
    summary.estimate = estimate_of(session, 0);
    return summary;
  }
  for (std::size_t k = 0; k < session.task_count(); ++k) {
    summary.topics.push_back(
        {.name = config.labels.names[k], .tally = session.tally(k), .estimate = estimate_of(session, k)});
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
  result.dropped = end.begun_with ? end.begun_with->lines : 0;
  result.checkpoints = end.compared;
  result.torn_bytes = reader.torn_bytes();
  result.set_aside = end.set_aside;
  result.unrecorded = end.unrecorded.size();
  result.stopped = end.stopped;
  return result;
}

std::optional<Snapshot> replay_shards(std::span<const ReplayOptions> shards, const ReplayHooks& hooks,
                                      const std::function<void(const ReplayResult&)>& see) {
  std::vector<Snapshot> models;
  std::set<std::uint64_t> opened;  // rounds in which any shard has asked
  ReplayHooks watching = hooks;
  watching.line = [&](const Session& session, const Replayed& line) {
    const auto decisions = decisions_of(line.outcome);
    if (std::ranges::any_of(decisions, &Decision::asked)) opened.insert(decisions[0].round);
    if (hooks.line) hooks.line(session, line);
  };
  for (const ReplayOptions& shard : shards) {
    const ReplayResult result = replay(shard, watching);
    if (result.stopped) return std::nullopt;
    see(result);
    models.push_back(snapshot_of(result.session->model()));
  }
  return merge_shards(models, opened.size());
}

}  // namespace askfew

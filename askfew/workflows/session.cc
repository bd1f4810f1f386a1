#include "askfew/workflows/session.h"

#include <fmt/core.h>
#include <memory>
#include <optional>

#include "askfew/config/text.h"
#include "askfew/models/topic_shards.h"
#include "askfew/sessions/expiry.h"
#include "askfew/workflows/seed_data.h"
#include "askfew/workflows/setup.h"

namespace askfew {
namespace {

/// Two labels are one task, unless they are topics: the first is positive. A set without negative labels
/// closes with the first one.
LabelPlan declared_labels(LabelPlan plan, bool are_topics) {
  if (are_topics && plan.has_topics()) return plan;
  if (plan.kind == LabelPlan::Kind::one_per_label && plan.names.size() == 1) {
    throw ConfigError(fmt::format(
        "`labels` names only {}: name the other label too, as in {}, or give `positive` and `negative`",
        in_quotes(plan.names[0]), in_quotes(plan.names[0] + ",other")));
  }
  if (plan.kind == LabelPlan::Kind::one_per_label && plan.names.size() == 2) {
    return {.kind = LabelPlan::Kind::any_of, .names = {plan.names[0]}, .negatives = {plan.names[1]}};
  }
  plan.closes = plan.kind == LabelPlan::Kind::any_of && plan.negatives.empty();
  return plan;
}

SessionSettings settings_of(const SessionOptions& options) {
  SessionSettings settings{
      .config = live_config(options.model), .labels = {.keep = options.keep}, .guesses = options.guesses};
  const bool is_shard = !options.shard.empty();
  settings.config.labels = declared_labels(std::move(settings.config.labels),
                                           options.topics || settings.config.together || is_shard);
  if (is_shard) settings.config.labels = shard_of(settings.config.labels, parse_shard(options.shard));
  const auto volunteered = parse_volunteered(options.volunteered);
  if (!volunteered) {
    throw ConfigError(
        fmt::format("`volunteered` {} is not refuse, keep or learn", in_quotes(options.volunteered)));
  }
  settings.labels.volunteered = *volunteered;
  settings.labels.overlap = parse_overlap(options.overlap);
  if (options.expire.empty()) return settings;
  const auto expiry = parse_expiry(options.expire);
  if (!expiry) {
    throw ConfigError(
        fmt::format("`expire` {} is neither rounds, as 1000, nor an age, as 30s, 10m, 12h or 7d",
                    in_quotes(options.expire)));
  }
  settings.labels.max_rounds = expiry->rounds;
  settings.labels.max_age = expiry->age;
  return settings;
}

}  // namespace

ModelConfig live_config(const ModelOptions& options) {
  const DataOptions lines{.paths = {"-"}, .format = "jsonl"};
  const Hooks nobody;
  InputData data(lines, nobody);
  return set_up(options, data).config;
}

bool is_expiry(const std::string& text) {
  return parse_expiry(text).has_value();
}

namespace {

/// The settings, with what seed labels teach.
SessionSettings settings_with_seeds(const SessionOptions& options, const Usage& usage) {
  SessionSettings settings = settings_of(options);
  const bool has_seeds = !options.seed_texts.empty() || !options.model.seed_labels.empty();
  if (has_seeds && settings.config.labels.is_shard())
    throw ConfigError("`seed_labels` are not for a shard: the model of all shards would not know of them");
  if (!options.seed_texts.empty()) {
    settings.seeds =
        seeds_of_texts(options.seed_texts, options.seed_table, settings.config, usage, options.doubt);
  } else if (!options.model.seed_labels.empty()) {
    settings.seeds = seeds_of_session(options.model.seed_labels, settings.config, usage, options.doubt);
  }
  if (settings.seeds != nullptr) settings.config.seeds = settings.seeds->labels;
  return settings;
}

}  // namespace

SessionLedger open_session(const SessionOptions& options, const LedgerObserver& observer) {
  const auto memory = std::make_shared<MemoryLimit>(options.max_memory);
  const Usage usage{.exactness = Exactness::exact, .memory = memory};
  const SessionSettings settings = settings_with_seeds(options, usage);
  if (!options.ledger.empty())
    return open_session_ledger(options.ledger, settings, options.mismatch, memory, observer);
  SessionLedger live;
  Model model = make_model(settings.config, usage);
  if (settings.seeds != nullptr) begin_with(*settings.seeds, model);
  live.session = std::make_unique<Session>(std::move(model), settings.labels, memory);
  return live;
}

std::function<SessionLedger(const std::string&, const LedgerObserver&)> session_opener(
    const SessionOptions& options) {
  const auto memory = std::make_shared<MemoryLimit>(options.max_memory);
  const Usage usage{.exactness = Exactness::exact, .memory = memory};
  return [memory, mismatch = options.mismatch, settings = settings_with_seeds(options, usage)](
             const std::string& ledger, const LedgerObserver& observer) {
    return open_session_ledger(ledger, settings, mismatch, memory, observer);
  };
}

}  // namespace askfew

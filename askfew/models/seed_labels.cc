#define XXH_INLINE_ALL
#include "askfew/models/seed_labels.h"

#include <fmt/core.h>
#include <xxhash.h>

namespace askfew {
namespace {

/// Does a tensor belong to a learner or to the features? The others are of decisions and estimates.
bool is_learned(std::string_view name) {
  if (name.starts_with("features.")) return true;
  if (!name.starts_with("task")) return false;
  const std::string_view part = name.substr(std::min(name.size(), name.find('.') + 1));
  return part == "version" || part == "learner" || part.starts_with("learner.");
}

std::string digest_of(const Snapshot& learned) {
  std::uint64_t hash = 0;
  for (const auto& [name, tensor] : learned.tensors) {
    hash = XXH3_64bits_withSeed(name.data(), name.size(), hash);
    hash = XXH3_64bits_withSeed(tensor.bytes.data(), tensor.bytes.size(), hash);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

SeedKnowledge knowledge_of(const Model& model) {
  SeedKnowledge seeds{.learned = {}, .labels = model.config.seeds};
  for (auto& [name, tensor] : snapshot_of(model).tensors) {
    if (is_learned(name)) seeds.learned.tensors.emplace(name, tensor);
  }
  return seeds;
}

tl::expected<SeedKnowledge, ParseError> learn_seeds(const ModelConfig& config, Stream& stream,
                                                    const Usage& usage) {
  ModelConfig asks_all = config;
  asks_all.sampler.rule = parse_rule("always");
  asks_all.sampler.spending = {};
  asks_all.sampler.aim = {};
  Model model = make_model(asks_all, usage);
  const auto rounds = run_loop(stream, config.labels.labelling(stream), model.task_set(),
                               {.features = &model.features,
                                .unit_norm = learner_info(config.sampler.learner).unit_norm,
                                .threads = usage.threads});
  if (!rounds) return tl::make_unexpected(rounds.error());
  SeedKnowledge seeds = knowledge_of(model);
  seeds.labels = {.count = *rounds, .digest = digest_of(seeds.learned)};
  return seeds;
}

void begin_with(const SeedKnowledge& seeds, Model& model) {
  model.config.seeds = seeds.labels;
  Snapshot state = snapshot_of(model);
  for (const auto& [name, tensor] : seeds.learned.tensors) state.tensors[name] = tensor;
  load_state(state, model);
}

}  // namespace askfew

#include "apps/cli/checkpoints.h"

#include <fmt/format.h>
#include <utility>

#include "askfew/core/atomic_file.h"
#include "askfew/protocol/model_file.h"

namespace askfew::cli {

Checkpoints::Checkpoints(std::string path, std::uint64_t every, const ModelConfig& config,
                         const FeatureState& features, std::span<const Task> tasks, std::string& remains)
    : path_(std::move(path)),
      every_(every),
      config_(config),
      features_(features),
      tasks_(tasks),
      remains_(remains) {}

void Checkpoints::operator()(std::uint64_t rounds) {
  if (rounds - saved_ < every_) return;
  AtomicFile file(path_);
  write_model(snapshot_of(config_, features_, tasks_), file.stream());
  file.commit();
  saved_ = rounds;
  remains_ = fmt::format("the model of round {} is in {}", tasks_[0].sampler->tally().round, path_);
}

}  // namespace askfew::cli

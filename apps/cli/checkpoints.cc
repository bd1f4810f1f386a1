#include "apps/cli/checkpoints.h"

#include <fmt/format.h>
#include <utility>

#include "askfew/models/model_file.h"
#include "askfew/system/atomic_file.h"

namespace askfew::cli {

Checkpoints::Checkpoints(std::string path, std::uint64_t every, const Model& model, std::string& remains)
    : path_(std::move(path)), every_(every), model_(model), remains_(remains) {}

void Checkpoints::operator()(std::uint64_t rounds) {
  if (rounds - saved_ < every_) return;
  AtomicFile file(path_);
  write_model(snapshot_of(model_), file.stream());
  file.commit();
  saved_ = rounds;
  remains_ = fmt::format("the model of round {} is in {}", model_.tally(0).round, path_);
}

}  // namespace askfew::cli

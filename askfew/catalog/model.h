#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/protocol/label_plan.h"
#include "askfew/protocol/run.h"
#include "askfew/streams/open.h"

namespace askfew {

/// Everything that decides what a run learns, besides its data.
struct ModelConfig {
  SamplerConfig sampler;
  std::uint64_t seed = 0;
  FeatureView::Index dimension = 0;  ///< 0: not known up front
  LabelPlan labels;
  bool normalize = false;
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  TextHasher::Options hashing;
  TableOptions table;                 ///< what is told of a table; not kept in a model
  std::optional<TableSchema> schema;  ///< of the tables that it reads; takes the place of `table`
};

/// A configuration and one task a label.
struct Model {
  ModelConfig config;
  std::vector<Task> tasks;
};

/// What the learners of a run may take together; null: no limit.
using SharedLimit = std::shared_ptr<MemoryLimit>;

/// Fresh tasks of a configuration. THROWS: ConfigError, MemoryError.
std::vector<Task> make_tasks(const ModelConfig& config, Exactness exactness = Exactness::lazy,
                             const SharedLimit& memory = nullptr);

/// THROWS: ModelError if a number in it is not finite.
Snapshot snapshot_of(const ModelConfig& config, std::span<const Task> tasks);
Snapshot snapshot_of(const Model& model);
/// THROWS: ModelError, MemoryError.
Model model_of(const Snapshot& snapshot, Exactness exactness = Exactness::lazy,
               const SharedLimit& memory = nullptr);
/// THROWS: FileError, ModelError, MemoryError; all name the file.
Model load_model(const std::string& path, Exactness exactness = Exactness::lazy,
                 const SharedLimit& memory = nullptr);

}  // namespace askfew

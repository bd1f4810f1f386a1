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
  FeatureView::Index dimension = 0;   ///< with the constant, if there is one; 0: not known up front
  FeatureView::Index index_base = 1;  ///< of svmlight text
  LabelPlan labels;
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  FeatureOptions features;
  TableOptions table;                 ///< what is told of a table; not kept in a model
  std::optional<TableSchema> schema;  ///< of the tables that it reads; takes the place of `table`

  /// 1 if a constant is added to the features of the data.
  [[nodiscard]] FeatureView::Index constants() const { return features.bias != 0 ? 1 : 0; }
  [[nodiscard]] FeatureView::Index dimension_of_data() const {
    return dimension == 0 ? 0 : dimension - constants();
  }
};

/// A configuration, what the features depend on, and one task a label.
struct Model {
  ModelConfig config;
  FeatureState features{};
  std::vector<Task> tasks;
};

/// What the learners of a run may take together; null: no limit.
using SharedLimit = std::shared_ptr<MemoryLimit>;

/// Fresh tasks of a configuration. THROWS: ConfigError, MemoryError.
std::vector<Task> make_tasks(const ModelConfig& config, Exactness exactness = Exactness::lazy,
                             const SharedLimit& memory = nullptr);

/// A fresh model. THROWS: ConfigError, MemoryError.
Model make_model(const ModelConfig& config, Exactness exactness = Exactness::lazy,
                 const SharedLimit& memory = nullptr);

/// THROWS: ModelError if a number in it is not finite.
Snapshot snapshot_of(const ModelConfig& config, const FeatureState& features, std::span<const Task> tasks);
Snapshot snapshot_of(const Model& model);
/// THROWS: ModelError, MemoryError.
Model model_of(const Snapshot& snapshot, Exactness exactness = Exactness::lazy,
               const SharedLimit& memory = nullptr);
/// THROWS: FileError, ModelError, MemoryError; all name the file.
Model load_model(const std::string& path, Exactness exactness = Exactness::lazy,
                 const SharedLimit& memory = nullptr);

}  // namespace askfew

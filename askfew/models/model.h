#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/models/label_plan.h"
#include "askfew/models/run_loop.h"
#include "askfew/streams/open.h"
#include "askfew/system/memory_limit.h"

// Threads: many threads may share a model, as long as all of them call const members only, those of its
// samplers among them; whatever learns needs the model for itself.

namespace askfew {

/// Everything that decides what a run learns, besides its data.
struct ModelConfig {
  SamplerConfig sampler;
  std::uint64_t seed = 0;
  FeatureView::Index dimension = 0;        ///< with the constant, if there is one; 0: not known up front
  FeatureView::Index found_dimension = 0;  ///< of a file that was scanned; others may have more; 0: none was
  FeatureView::Index index_base = 1;       ///< of svmlight text
  LabelPlan labels;
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  FeatureOptions features;
  TableOptions table;                 ///< what is told of a table; not kept in a model
  std::optional<TableSchema> schema;  ///< of the tables that it reads; takes the place of `table`

  /// What a learner is told: all features, or those that were found.
  [[nodiscard]] FeatureView::Index likely_dimension() const {
    return dimension != 0 ? dimension : found_dimension;
  }
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
  std::unique_ptr<AnyDecisions> decisions{};  ///< of a multi-class model, whose tasks are its classes

  [[nodiscard]] TaskSet task_set() { return {tasks, decisions.get()}; }
  /// Of a task's decisions, which all classes of a multi-class model have in common.
  [[nodiscard]] const Tally& tally(std::size_t task) const {
    return decisions != nullptr ? decisions->tally() : tasks[task].sampler->tally();
  }
};

/// What the learners of a run may take together; null: no limit.
using SharedLimit = std::shared_ptr<MemoryLimit>;

/// How a model is going to be used. None of it changes what it learns.
struct Usage {
  Exactness exactness = Exactness::lazy;
  SharedLimit memory = nullptr;
  unsigned threads = 1;  ///< tasks are laid out in memory so that all of them have work
};

/// Fresh tasks of a configuration. THROWS: ConfigError, MemoryError.
std::vector<Task> make_tasks(const ModelConfig& config, const Usage& usage = {});

/// A fresh model. THROWS: ConfigError, MemoryError.
Model make_model(const ModelConfig& config, const Usage& usage = {});

/// THROWS: ModelError if a number in it is not finite.
Snapshot snapshot_of(const Model& model);
/// THROWS: ModelError, MemoryError.
Model model_of(const Snapshot& snapshot, const Usage& usage = {});
/// THROWS: FileError, ModelError, MemoryError; all name the file.
Model load_model(const std::string& path, const Usage& usage = {});

}  // namespace askfew

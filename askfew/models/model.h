#pragma once

// A model: its configuration, its features and its tasks.

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

// Threads: many threads may share a model if all of them call only const members, also of its samplers.
// Learning needs exclusive access to the model.

namespace askfew {

/// Labels that were learned before the first round; no budget and no estimate counts them.
struct SeedLabels {
  std::uint64_t count = 0;
  std::string digest{};  ///< of what they taught, so that a session continues only with the same labels
};

/// Everything that determines what a run learns, except its data.
struct ModelConfig {
  SamplerConfig sampler;
  std::uint64_t seed = 0;
  FeatureView::Index dimension = 0;        ///< including the constant, if any; 0: unknown before the run
  FeatureView::Index found_dimension = 0;  ///< of a scanned file; other files may have more features; 0: no
                                           ///< file was scanned
  FeatureView::Index index_base = 1;       ///< for svmlight text
  LabelPlan labels;
  bool together = false;                 ///< topics: one decision per document for all of them
  InputKind input = InputKind::unknown;  ///< of the data that the model was trained on
  std::string input_format{};            ///< the format of that data, for reports; not stored in a model
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  FeatureOptions features;
  TableOptions table;                 ///< the user's options for a table; a model stores those that are also
                                      ///< keys of JSON lines
  std::optional<TableSchema> schema;  ///< of the tables that the model reads; replaces `table`
  SeedLabels seeds{};

  /// The dimension for a learner: the known dimension, or the dimension found in a scan.
  [[nodiscard]] FeatureView::Index likely_dimension() const {
    return dimension != 0 ? dimension : found_dimension;
  }
  /// 1 if a constant is added to the features of the data.
  [[nodiscard]] FeatureView::Index constants() const { return features.bias != 0 ? 1 : 0; }
  [[nodiscard]] FeatureView::Index dimension_of_data() const {
    return dimension == 0 ? 0 : dimension - constants();
  }
};

/// A monitor of the quality under these limits. REQUIRES: there is an audit.
std::unique_ptr<QualityMonitor> make_watch(const Spending& spending);

/// A configuration, the state of the features, and one task per label.
struct Model {
  ModelConfig config;
  FeatureState features{};
  std::vector<Task> tasks;
  std::unique_ptr<AnyDecisions> decisions{};  ///< only for classes, or topics that are asked together
  /// Topics that decide for themselves: the instances with an asked label. Nothing: an earlier version did
  /// not count them.
  std::optional<std::uint64_t> opened = 0;

  /// Are the tasks the classes of one task?
  [[nodiscard]] bool has_classes() const { return config.labels.kind == LabelPlan::Kind::one_of; }
  [[nodiscard]] TaskSet task_set() {
    return {tasks, decisions.get(), has_classes() ? TaskSet::Shared::by_classes : TaskSet::Shared::by_topics};
  }
  /// The tally of a task's decisions; classes, and topics that are asked together, share one tally.
  [[nodiscard]] const Tally& tally(std::size_t task) const {
    return decisions != nullptr ? decisions->tally() : tasks[task].sampler->tally();
  }
};

/// The memory limit for all learners of a run together; null: no limit.
using SharedLimit = std::shared_ptr<MemoryLimit>;

/// How a model will be used. Nothing here changes what the model learns.
struct Usage {
  Exactness exactness = Exactness::lazy;
  SharedLimit memory = nullptr;
  unsigned threads = 1;     ///< the memory layout of the tasks gives work to all threads
  bool shares_work = true;  ///< tasks that have seen different instances cannot
};

/// Fresh tasks of a configuration. THROWS: ConfigError, MemoryError.
std::vector<Task> make_tasks(const ModelConfig& config, const Usage& usage = {});

/// A fresh model. THROWS: ConfigError, MemoryError.
Model make_model(const ModelConfig& config, const Usage& usage = {});

/// The metadata of a snapshot with the configuration of its model, as JSON.
inline constexpr std::string_view snapshot_config = "askfew.config";

/// THROWS: ModelError if a number of the model is not finite.
Snapshot snapshot_of(const Model& model);
/// Replaces the state of a model by the state of a snapshot with the same configuration. THROWS: ModelError,
/// MemoryError.
void load_state(const Snapshot& snapshot, Model& model);
/// THROWS: ModelError, MemoryError.
Model model_of(const Snapshot& snapshot, const Usage& usage = {});
/// THROWS: FileError, ModelError, MemoryError; all name the file.
Model load_model(const std::string& path, const Usage& usage = {});

}  // namespace askfew

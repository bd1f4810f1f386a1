#include "askfew/models/model.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/catalog/interleaved.h"
#include "askfew/core/version.h"
#include "askfew/json/json_text.h"
#include "askfew/models/model_config.h"
#include "askfew/models/model_file.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::string_view format_key = "askfew.format";
constexpr std::string_view format_version = "4";
constexpr std::string_view version_key = "askfew.version";
constexpr std::string_view features_prefix = "features.";

/// An update can overflow without a later round that notices it; such a model is useless.
void refuse_not_finite(const Snapshot& snapshot) {
  const std::string name = find_not_finite(snapshot);
  if (!name.empty()) throw ModelError(name + " is not finite: an update was too large for a number");
}

std::size_t bytes_of(const Snapshot& snapshot) {
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : snapshot.tensors) bytes += tensor.bytes.size();
  return bytes;
}

/// A learner takes memory when it grows. Its memory after loading must fit as well.
void expect_room_in_memory(const Snapshot& snapshot, const SharedLimit& memory) {
  if (memory == nullptr) return;
  memory->take(bytes_of(snapshot), "the model");
  memory->give_back(bytes_of(snapshot));
}

/// A learner with one weight per dimension is made with all dimensions: a small file must not claim many.
void expect_room_for_dimension(const ModelConfig& config, const Snapshot& snapshot) {
  const SamplerConfig learner_alone{.learner = config.sampler.learner, .rule = parse_rule("always")};
  if (needs_dimension(learner_alone) && config.likely_dimension() > bytes_of(snapshot) / sizeof(double)) {
    throw ModelError("it is too small for its dimension");
  }
}

/// With many tasks, more tasks share a pass over an instance, but every thread should have some tasks. If
/// every thread has several groups, no place of a group but the last is left empty.
std::size_t tasks_together(std::size_t tasks, std::size_t threads) {
  constexpr std::size_t most = 64;  // measured: with fewer a run is slower; and a group has no more members
  std::size_t groups = std::max<std::size_t>(1, threads);
  while (tasks > groups * most) groups += std::max<std::size_t>(1, threads);
  const std::size_t together = (tasks + groups - 1) / groups;
  constexpr std::size_t at_once = SharedWork::slots_at_once;
  return groups > threads ? (together + at_once - 1) / at_once * at_once : together;
}

/// Topics that are asked together count documents anyway.
bool counts_opened(const Model& model) {
  return model.config.labels.kind == LabelPlan::Kind::one_per_label && model.decisions == nullptr;
}

std::string prefix_of(std::size_t task) {
  return fmt::format("task{}.", task);
}

constexpr std::string_view decisions_prefix = "decisions.";

/// Models of earlier versions have no forecasts of mistakes, and do not know the rounds behind the bounds of
/// an alarm: these begin as in a new monitor. REQUIRES: the monitor is new.
void load_watch(const Snapshot& snapshot, const std::string& prefix, QualityMonitor& watch) {
  const std::string begin = prefix + "watch.";
  Snapshot saved;
  for (auto tensor = snapshot.tensors.lower_bound(begin);
       tensor != snapshot.tensors.end() && tensor->first.starts_with(begin); ++tensor) {
    saved.tensors.insert(*tensor);
  }
  const auto is_forecast = [](const auto& tensor) {
    return tensor.first.find("forecast") != std::string::npos;
  };
  const auto is_past = [](const auto& tensor) {
    return tensor.first.find(".error_alarm.") != std::string::npos &&
           tensor.first.find(".past") != std::string::npos;
  };
  const bool has_forecasts = std::ranges::any_of(saved.tensors, is_forecast);
  const bool has_past = std::ranges::any_of(saved.tensors, is_past);
  Snapshot fresh;
  SnapshotWriter(fresh, prefix)("watch", watch);
  for (const auto& tensor : fresh.tensors) {
    if ((is_forecast(tensor) && !has_forecasts) || (is_past(tensor) && !has_past))
      saved.tensors.insert(tensor);
  }
  SnapshotReader(saved, prefix)("watch", watch);
}

}  // namespace

std::unique_ptr<QualityMonitor> make_watch(const Spending& spending) {
  const ForecastKind kind = spending.fits_forecasts ? ForecastKind::fitted : ForecastKind::earlier;
  return std::make_unique<QualityMonitor>(spending.audit, spending.budget.horizon,
                                          QualityMonitor::usual_window, kind);
}

std::vector<Task> make_tasks(const ModelConfig& config, const Usage& usage) {
  const std::vector<std::string> names = config.labels.task_names();
  SamplerConfig sampler = config.sampler;
  const bool share = config.labels.kind == LabelPlan::Kind::one_of || config.together;
  if (share) {  // the tasks ask for all labels that the common decisions have asked
    sampler.rule = parse_rule("always");
    sampler.spending = {};
    if (!sampler.aim.is_accuracy()) {
      throw ConfigError("an aim is for tasks that decide for themselves, not for classes or topics together");
    }
  }
  const std::size_t together =
      usage.shares_work ? tasks_together(names.size(), share ? 1 : usage.threads) : 1;
  // A query without its spread has only a bound on a margin that depends on the spread.
  const bool exact_margins =
      usage.exactness == Exactness::exact || !offers(sampler.learner, "divided-margin");
  std::shared_ptr<SharedWork> shared;
  std::vector<Task> tasks;
  for (std::size_t index = 0; index < names.size(); ++index) {
    const Setting setting{.key = {.seed = config.seed, .task = config.labels.first + index},
                          .dimension = config.likely_dimension(),
                          .memory = usage.memory};
    Task task{.name = names[index], .label = index, .sampler = nullptr, .confusion = {}};
    if (together > 1) {
      const std::size_t slot = index % together;
      if (slot == 0) shared = make_shared_work(sampler, setting, std::min(together, names.size() - index));
      if (shared != nullptr) task.sampler = make_sharing(sampler, setting, usage.exactness, shared, slot);
      task.shared = shared;
    }
    if (task.sampler == nullptr) task.sampler = make_sampler(sampler, setting, usage.exactness);
    task.has_exact_margins = exact_margins;
    if (config.sampler.spending.audit > 0) task.watch = make_watch(config.sampler.spending);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Model make_model(const ModelConfig& config, const Usage& usage) {
  Model model{.config = config,
              .features = FeatureState(config.features, usage.memory),
              .tasks = make_tasks(config, usage)};
  if (config.together && config.labels.kind != LabelPlan::Kind::one_per_label) {
    throw ConfigError("`ask` together is for several topics: one task per label");
  }
  if (config.together && config.labels.is_shard()) {
    throw ConfigError(
        "`ask` together is one decision about all topics: a shard of the topics cannot make it");
  }
  if (model.has_classes() || config.together) {
    if (model.has_classes() && model.tasks.size() < 2)
      throw ConfigError("a multi-class task needs at least two classes");
    // A document has a coin of its own, beside those of its topics.
    const Setting setting{.key = {.seed = config.seed, .task = config.together ? model.tasks.size() : 0},
                          .dimension = config.likely_dimension(),
                          .memory = usage.memory};
    model.decisions = make_decisions(config.sampler, setting, usage.exactness);
  }
  return model;
}

Snapshot snapshot_of(const Model& model) {
  Snapshot snapshot;
  snapshot.metadata[std::string(format_key)] = format_version;
  snapshot.metadata[std::string(version_key)] = version;
  snapshot.metadata[std::string(snapshot_config)] = json_text(json_of(model.config));
  SnapshotWriter of_features(snapshot, std::string(features_prefix));
  FeatureState::state(model.features, of_features);
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    model.tasks[k].sampler->save(snapshot, prefix_of(k));
    SnapshotWriter visit(snapshot, prefix_of(k));
    visit("confusion", model.tasks[k].confusion);
    visit("calibration", model.tasks[k].calibration);
    if (model.tasks[k].watch) visit("watch", *model.tasks[k].watch);
  }
  if (model.decisions != nullptr) model.decisions->save(snapshot, std::string(decisions_prefix));
  if (model.opened && counts_opened(model)) SnapshotWriter(snapshot, "")("opened", *model.opened);
  refuse_not_finite(snapshot);
  return snapshot;
}

void load_state(const Snapshot& snapshot, Model& model) {
  SnapshotReader of_features(snapshot, std::string(features_prefix));
  FeatureState::state(model.features, of_features);
  if (!model.features.consistent()) throw ModelError("its features do not match their options");
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    model.tasks[k].sampler->load(snapshot, prefix_of(k));
    SnapshotReader visit(snapshot, prefix_of(k));
    visit("confusion", model.tasks[k].confusion);
    // Models and ledgers of earlier versions have no calibration.
    if (snapshot.tensors.contains(prefix_of(k) + "calibration")) {
      visit("calibration", model.tasks[k].calibration);
    }
    if (model.tasks[k].watch) load_watch(snapshot, prefix_of(k), *model.tasks[k].watch);
  }
  if (model.decisions != nullptr) model.decisions->load(snapshot, std::string(decisions_prefix));
  if (!counts_opened(model)) return;
  if (snapshot.tensors.contains("opened")) {
    SnapshotReader(snapshot, "")("opened", *model.opened);
  } else {
    model.opened.reset();
  }
}

namespace {

/// Have all tasks seen the same instances? A class or topic that is added later begins with a new scaler.
bool have_seen_the_same(const Snapshot& snapshot, std::size_t tasks) {
  constexpr std::string_view scaler = "learner.scaler.";
  const std::string first = prefix_of(0);
  const auto begin = snapshot.tensors.lower_bound(first + std::string(scaler));
  for (auto tensor = begin; tensor != snapshot.tensors.end(); ++tensor) {
    const std::string name = tensor->first.substr(first.size());
    if (!name.starts_with(scaler)) break;
    for (std::size_t k = 1; k < tasks; ++k) {
      const auto other = snapshot.tensors.find(prefix_of(k) + name);
      if (other == snapshot.tensors.end() || !(other->second == tensor->second)) return false;
    }
  }
  return true;
}

}  // namespace

Model model_of(const Snapshot& snapshot, const Usage& usage) {
  const auto format = snapshot.metadata.find(std::string(format_key));
  const auto text = snapshot.metadata.find(std::string(snapshot_config));
  if (format == snapshot.metadata.end() || text == snapshot.metadata.end()) {
    throw ModelError("not an askfew model: it has no configuration");
  }
  if (format->second != format_version) {
    throw ModelError(
        fmt::format("a model of format {}, this program reads {}", format->second, format_version));
  }
  try {
    const ModelConfig config = config_of(parse_json(text->second));
    expect_room_for_dimension(config, snapshot);
    expect_room_in_memory(snapshot, usage.memory);
    refuse_not_finite(snapshot);
    Usage fitting = usage;
    fitting.shares_work =
        usage.shares_work && have_seen_the_same(snapshot, config.labels.task_names().size());
    Model model = make_model(config, fitting);
    load_state(snapshot, model);
    return model;
  } catch (const json::exception& error) {
    throw ModelError(fmt::format("its configuration is damaged: {}", error.what()));
  } catch (const ConfigError& error) {
    throw ModelError(fmt::format("its configuration is not possible: {}", error.what()));
  }
}

Model load_model(const std::string& path, const Usage& usage) {
  try {
    return model_of(read_model(path), usage);
  } catch (const ModelError& error) {
    throw ModelError(path + ": " + error.what());
  } catch (const MemoryError& error) {
    throw MemoryError(path + ": " + error.what());
  }
}

}  // namespace askfew

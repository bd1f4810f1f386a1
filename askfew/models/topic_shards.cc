#include "askfew/models/topic_shards.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::string_view task_name = "task";
constexpr std::string_view opened_count = "opened";

[[noreturn]] void refuse_merge(std::size_t shard, std::string_view why) {
  throw ConfigError(fmt::format("model {} is not a shard of the same topics: {}", shard + 1, why));
}

json settings_of_shard(const Snapshot& snapshot, std::size_t shard) {
  const auto text = snapshot.metadata.find(std::string(snapshot_config));
  json config = text == snapshot.metadata.end() ? json() : try_parse_json(text->second);
  if (!config.is_object() || !config.contains("labels") || !config["labels"].contains("names")) {
    refuse_merge(shard, "it has no configuration");
  }
  return config;
}

/// The number of a tensor's task and the rest of its name; nothing: it is a tensor of no task.
struct TaskTensor {
  std::size_t task = 0;
  std::string_view rest{};
};
std::optional<TaskTensor> task_tensor(std::string_view name) {
  if (!name.starts_with(task_name)) return std::nullopt;
  TaskTensor found;
  const char* end = name.data() + name.size();
  const auto [past, error] = std::from_chars(name.data() + task_name.size(), end, found.task);
  if (error != std::errc{} || past == end || *past != '.') return std::nullopt;
  found.rest = name.substr(static_cast<std::size_t>(past - name.data()));
  return found;
}

/// What all shards have in common: the settings, what the features have learned, the number of rounds.
Snapshot common_part(const Snapshot& shard) {
  Snapshot common;
  for (const auto& [name, tensor] : shard.tensors) {
    const auto of_task = task_tensor(name);
    if (!of_task && name != opened_count) common.tensors.insert({name, tensor});
    if (of_task && of_task->task == 0 && of_task->rest == ".tally.round")
      common.tensors.insert({name, tensor});
  }
  return common;
}

}  // namespace

TopicShard parse_shard(std::string_view text) {
  TopicShard shard;
  const char* end = text.data() + text.size();
  const auto [slash, no_number] = std::from_chars(text.data(), end, shard.number);
  const bool two = no_number == std::errc{} && slash != end && *slash == '/';
  const auto [past, no_count] = std::from_chars(two ? slash + 1 : end, end, shard.of);
  if (!two || no_count != std::errc{} || past != end || shard.number < 1 || shard.number > shard.of) {
    throw ConfigError(
        fmt::format("{} is not a shard of the topics, accepted: 1/8, 2/8, ... 8/8", in_quotes(text)));
  }
  return shard;
}

TopicRange topics_of(const TopicShard& shard, std::size_t topics) {
  if (shard.of > topics) {
    throw ConfigError(
        fmt::format("{} topics in {} shards: every shard needs at least one topic", topics, shard.of));
  }
  // The first shards have one topic more, if the topics cannot be divided evenly.
  const std::size_t each = topics / shard.of;
  const std::size_t more = topics % shard.of;
  const auto begin_of = [&](std::size_t number) { return number * each + std::min(number, more); };
  return {.begin = begin_of(shard.number - 1), .end = begin_of(shard.number)};
}

LabelPlan shard_of(const LabelPlan& all, const TopicShard& shard) {
  if (all.kind != LabelPlan::Kind::one_per_label) {
    throw ConfigError("a shard is a part of several topics, each a task of its own");
  }
  if (all.is_shard()) throw ConfigError("these topics are a shard already");
  const TopicRange range = topics_of(shard, all.names.size());
  LabelPlan part = all;
  part.names.assign(all.names.begin() + static_cast<std::ptrdiff_t>(range.begin),
                    all.names.begin() + static_cast<std::ptrdiff_t>(range.end));
  part.first = range.begin;
  part.all = all.names;
  return part;
}

Snapshot merge_shards(std::span<const Snapshot> shards, std::optional<std::uint64_t> opened) {
  if (shards.empty()) throw ConfigError("there is no shard");
  Snapshot whole = common_part(shards[0]);
  whole.metadata = shards[0].metadata;
  const Snapshot common = common_part(shards[0]);
  json config = settings_of_shard(shards[0], 0);
  const json all = config["labels"].value("all", json());
  config["labels"].erase("all");
  std::size_t before = 0;
  for (std::size_t k = 0; k < shards.size(); ++k) {
    json settings = settings_of_shard(shards[k], k);
    const json names = settings["labels"]["names"];
    if (settings["labels"].value("first", std::size_t{0}) != before)
      refuse_merge(k, "its topics do not follow");
    if (settings["labels"].value("all", json()) != all) refuse_merge(k, "it is a part of other topics");
    settings["labels"] = config["labels"];
    if (settings != config) refuse_merge(k, "it has other settings");
    if (common_part(shards[k]) != common) refuse_merge(k, "it saw other instances");
    if (k > 0) config["labels"]["names"].insert(config["labels"]["names"].end(), names.begin(), names.end());
    for (const auto& [name, tensor] : shards[k].tensors) {
      if (const auto found = task_tensor(name)) {
        whole.tensors[fmt::format("{}{}{}", task_name, before + found->task, found->rest)] = tensor;
      }
    }
    before += names.size();
  }
  if (!all.is_null() && all.size() != before)
    throw ConfigError(fmt::format("the models have {} of {} topics: a shard is missing", before, all.size()));
  whole.metadata[std::string(snapshot_config)] = json_text(config);
  if (opened) SnapshotWriter(whole, "")(opened_count, *opened);
  return whole;
}

}  // namespace askfew

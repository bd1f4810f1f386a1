#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "askfew/models/label_plan.h"
#include "askfew/models/model.h"

namespace askfew {

/// One of several equal parts of the topics of a stream: shard 3 of 8 is the third eighth.
struct TopicShard {
  std::size_t number = 1;  ///< from 1
  std::size_t of = 1;

  bool operator==(const TopicShard&) const = default;
};

/// "3/8". THROWS: ConfigError.
TopicShard parse_shard(std::string_view text);

/// The topics of a shard, from `begin` to before `end`. Shards differ by at most one topic. THROWS:
/// ConfigError if a shard would have no topic.
struct TopicRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
TopicRange topics_of(const TopicShard& shard, std::size_t topics);

/// The plan of a shard: its topics, with the coins that they have in the whole. THROWS: ConfigError if the
/// labels are not one task per label, or are a shard already.
LabelPlan shard_of(const LabelPlan& all, const TopicShard& shard);

/// The model of all topics from the models of all shards, in order: the same bytes as one model that saw the
/// same instances. `opened`: the instances with an asked label in any shard; nothing: not known. THROWS:
/// ConfigError for models that are not all shards of one model, or that saw other instances.
Snapshot merge_shards(std::span<const Snapshot> shards, std::optional<std::uint64_t> opened);

}  // namespace askfew

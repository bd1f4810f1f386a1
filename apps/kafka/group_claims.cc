#include "apps/kafka/group_claims.h"

#include <cstring>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew::kafka {
namespace {

constexpr int group_patience = 5000;  // milliseconds

}  // namespace

void GroupClaims::add(std::int32_t number, const std::string& topic, std::int64_t offset,
                      rd_kafka_topic_partition_list_t& list) const {
  rd_kafka_topic_partition_t* partition =
      rdkafka().rd_kafka_topic_partition_list_add(&list, topic.c_str(), number);
  partition->offset = offset;
  partition->metadata = strdup(folder_.identity().c_str());  // the list frees it
  partition->metadata_size = partition->metadata == nullptr ? 0 : folder_.identity().size();
}

bool GroupClaims::may_open(std::int32_t number) {
  const PartitionsHandle list = partitions_list();
  rdkafka().rd_kafka_topic_partition_list_add(list.get(), topics_.instances.c_str(), number);
  if (rdkafka().rd_kafka_committed(consumer_, list.get(), group_patience) != RD_KAFKA_RESP_ERR_NO_ERROR)
    return false;
  const rd_kafka_topic_partition_t& known = list->elems[0];
  if (known.err != RD_KAFKA_RESP_ERR_NO_ERROR) return false;
  if (known.offset < 0) {
    const PartitionsHandle claim = partitions_list();
    add(number, topics_.instances, 0, *claim);
    committed_[number] = 0;
    return rdkafka().rd_kafka_commit(consumer_, claim.get(), 0) == RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  const std::string_view folder(static_cast<const char*>(known.metadata), known.metadata_size);
  if (folder != folder_.identity()) {
    throw ConfigError(
        fmt::format("the group {} has its ledgers {}: every process of a group uses the same folder, and a "
                    "new folder needs a "
                    "new group",
                    in_quotes(group_),
                    folder.empty() ? "nowhere, it is used by another program"
                                   : "in another folder than " + folder_.path()));
  }
  committed_[number] = known.offset;
  return true;
}

void GroupClaims::check(const Partitions& partitions) const {
  partitions.for_each_open([&](std::int32_t number, const MessageTaker& session) {
    const auto known = committed_.find(number);
    const std::int64_t next = session.recorded_next(topics_.instances);
    if (known == committed_.end() || next >= known->second) return;
    throw DataError(
        {.why = fmt::format("the ledger ends before message {}, and the group {} knows that the messages "
                            "before {} were taken: this is an older copy of the ledger",
                            next, in_quotes(group_), known->second),
         .file = folder_.place(topics_.instances, number)});
  });
}

void GroupClaims::commit(const Partitions& partitions, bool later) const {
  const PartitionsHandle list = partitions_list();
  partitions.for_each_open([&](std::int32_t number, const MessageTaker& session) {
    for (const std::string& topic : topics_.read()) add(number, topic, session.recorded_next(topic), *list);
  });
  if (list->cnt > 0) static_cast<void>(rdkafka().rd_kafka_commit(consumer_, list.get(), later ? 1 : 0));
}

}  // namespace askfew::kafka

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "apps/kafka/partitions.h"

namespace askfew::kafka {

/// What the group remembers of its ledgers, beside the offsets that it can show to monitors: the identity of
/// the folder that has them. A process with another folder would take every message a second time; here it
/// is refused. The offsets themselves are those of the ledgers, which alone decide what is read.
class GroupClaims {
 public:
  /// REQUIRES: everything outlives this object.
  GroupClaims(rd_kafka_t* consumer, const std::string& group, const Topics& topics,
              const LedgerFolder& folder)
      : consumer_(consumer), group_(group), topics_(topics), folder_(folder) {}

  /// Is this the folder with the ledger of the partition? If the group knows of none, it is from now on.
  /// False: the group does not answer now. THROWS: ConfigError if the ledger is in another folder, or if
  /// another program uses the group.
  bool may_open(std::int32_t number);
  /// THROWS: DataError if a ledger has lost messages that the group knows to be taken.
  void check(const Partitions& partitions) const;
  /// Tells the group how far the ledgers are. A failure does no harm.
  void commit(const Partitions& partitions, bool later) const;

 private:
  void add(std::int32_t number, const std::string& topic, std::int64_t offset,
           rd_kafka_topic_partition_list_t& list) const;

  rd_kafka_t* consumer_;
  const std::string& group_;
  const Topics& topics_;
  const LedgerFolder& folder_;
  std::map<std::int32_t, std::int64_t> committed_;
};

}  // namespace askfew::kafka

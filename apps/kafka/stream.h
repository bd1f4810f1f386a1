#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "apps/kafka/partitions.h"

namespace askfew::kafka {

struct StreamOptions {
  std::string brokers;  ///< as HOST:PORT,HOST:PORT
  Topics topics;
  std::string group;                    ///< the processes of a group share the partitions
  std::string folder;                   ///< of the ledgers
  std::string shard;                    ///< of the topics of labels, as "3/8"; empty: all
  std::vector<std::string> properties;  ///< more properties of librdkafka, as NAME=VALUE
};

/// Takes the messages of the partitions that the group gives to this process, until `stop` is set. THROWS:
/// ConfigError, DataError, FileError, ModelError, MemoryError.
void stream(const StreamOptions& options, const Partitions::Open& open, const std::atomic<bool>& stop,
            const Tell& tell);

}  // namespace askfew::kafka

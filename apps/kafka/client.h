#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/kafka/rdkafka.h"

namespace askfew::kafka {

/// A text of the form NAME=VALUE, as librdkafka takes its properties.
using Property = std::pair<std::string, std::string>;
/// THROWS: ConfigError if the text is no property, or if the stream sets this property itself.
Property property_of(const std::string& text);

struct ClientDeleter {
  void operator()(rd_kafka_t* client) const { rdkafka().rd_kafka_destroy(client); }
};
struct MessageDeleter {
  void operator()(rd_kafka_message_t* message) const { rdkafka().rd_kafka_message_destroy(message); }
};
struct PartitionsDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rdkafka().rd_kafka_topic_partition_list_destroy(list);
  }
};
struct TopicDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rdkafka().rd_kafka_topic_destroy(topic); }
};
using TopicHandle = std::unique_ptr<rd_kafka_topic_t, TopicDeleter>;
using ClientHandle = std::unique_ptr<rd_kafka_t, ClientDeleter>;
using MessageHandle = std::unique_ptr<rd_kafka_message_t, MessageDeleter>;
using PartitionsHandle = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionsDeleter>;

inline PartitionsHandle partitions_list() {
  return PartitionsHandle(rdkafka().rd_kafka_topic_partition_list_new(0));
}

/// What librdkafka tells a client. The functions are called while the client is polled, and may throw
/// nothing.
struct ClientEvents {
  std::function<void(rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions)> rebalance{};
  std::function<void(const rd_kafka_message_t* message)> delivered{};
  std::function<void(rd_kafka_resp_err_t error, const char* why)> failed{};
};

/// REQUIRES: the events outlive the client. THROWS: ConfigError for a property that librdkafka refuses.
ClientHandle make_client(rd_kafka_type_t type, const std::vector<Property>& properties, ClientEvents& events);

/// The number of partitions of a topic. THROWS: ConfigError if there is no such topic, or no broker answers.
std::int32_t count_partitions(rd_kafka_t* consumer, const std::string& brokers, const std::string& topic);

}  // namespace askfew::kafka

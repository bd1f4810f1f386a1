#include "apps/kafka/client.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/core.h>
#include <thread>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew::kafka {
namespace {

constexpr int metadata_patience = 10'000;  // milliseconds for an answer of a broker
constexpr int topic_tries = 4;             // a second apart
constexpr std::size_t error_size = 512;

ClientEvents& events_of(void* opaque) {
  return *static_cast<ClientEvents*>(opaque);
}

void on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions,
                  void* opaque) {
  events_of(opaque).rebalance(what, partitions);
}

void on_delivery(rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
  events_of(opaque).delivered(message);
}

void on_error(rd_kafka_t*, int error, const char* why, void* opaque) {
  events_of(opaque).failed(static_cast<rd_kafka_resp_err_t>(error), why);
}

/// What librdkafka itself would print is told by the other events.
void ignore_log(const rd_kafka_t*, int, const char*, const char*) {}

}  // namespace

Property property_of(const std::string& text) {
  constexpr std::array own{"bootstrap.servers",  "metadata.broker.list", "group.id",
                           "enable.auto.commit", "auto.offset.reset",    "partition.assignment.strategy",
                           "enable.idempotence", "max.poll.interval.ms", "enable.auto.offset.store",
                           "group.protocol",     "transactional.id",     "isolation.level"};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw ConfigError(
        fmt::format("the property {} is not NAME=VALUE, as session.timeout.ms=10000", in_quotes(text)));
  Property property{text.substr(0, equals), text.substr(equals + 1)};
  if (std::find(own.begin(), own.end(), property.first) != own.end())
    throw ConfigError(fmt::format("the property {} is set by the stream itself", in_quotes(property.first)));
  return property;
}

ClientHandle make_client(rd_kafka_type_t type, const std::vector<Property>& properties,
                         ClientEvents& events) {
  char why[error_size] = "";
  const std::unique_ptr<rd_kafka_conf_t, decltype(&::rd_kafka_conf_destroy)> owner(
      rdkafka().rd_kafka_conf_new(), rdkafka().rd_kafka_conf_destroy);
  rd_kafka_conf_t* conf = owner.get();
  for (const auto& [name, value] : properties) {
    if (rdkafka().rd_kafka_conf_set(conf, name.c_str(), value.c_str(), why, sizeof why) != RD_KAFKA_CONF_OK)
      throw ConfigError(fmt::format("Kafka: {}", why));
  }
  rdkafka().rd_kafka_conf_set_opaque(conf, &events);
  if (events.rebalance) rdkafka().rd_kafka_conf_set_rebalance_cb(conf, on_rebalance);
  if (events.delivered) rdkafka().rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
  if (events.failed) rdkafka().rd_kafka_conf_set_error_cb(conf, on_error);
  rdkafka().rd_kafka_conf_set_log_cb(conf, ignore_log);
  rd_kafka_conf_t* copy = rdkafka().rd_kafka_conf_dup(conf);  // the client takes it, unless it cannot be made
  ClientHandle client(rdkafka().rd_kafka_new(type, copy, why, sizeof why));
  if (client == nullptr) {
    rdkafka().rd_kafka_conf_destroy(copy);
    throw ConfigError(fmt::format("Kafka: {}", why));
  }
  return client;
}

std::int32_t count_partitions(rd_kafka_t* consumer, const std::string& brokers, const std::string& topic) {
  const TopicHandle handle(rdkafka().rd_kafka_topic_new(consumer, topic.c_str(), nullptr));
  if (handle == nullptr) {
    throw ConfigError(fmt::format("{} is no name of a topic: {}", in_quotes(topic),
                                  rdkafka().rd_kafka_err2str(rdkafka().rd_kafka_last_error())));
  }
  // A broker may not know a topic yet that was made a moment ago.
  for (int tries = 1;; ++tries) {
    const rd_kafka_metadata_t* answer = nullptr;
    const rd_kafka_resp_err_t error =
        rdkafka().rd_kafka_metadata(consumer, 0, handle.get(), &answer, metadata_patience);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) {
      throw ConfigError(fmt::format("no broker answers at {} within {} s: {}", in_quotes(brokers),
                                    metadata_patience / 1000, rdkafka().rd_kafka_err2str(error)));
    }
    const std::unique_ptr<const rd_kafka_metadata_t, decltype(&::rd_kafka_metadata_destroy)> metadata(
        answer, rdkafka().rd_kafka_metadata_destroy);
    const bool has_answer = metadata->topic_cnt == 1;
    if (has_answer && metadata->topics[0].err == RD_KAFKA_RESP_ERR_NO_ERROR &&
        metadata->topics[0].partition_cnt > 0)
      return metadata->topics[0].partition_cnt;
    const rd_kafka_resp_err_t why =
        has_answer ? metadata->topics[0].err : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
    if (tries == topic_tries)
      throw ConfigError(fmt::format("the topic {}: {}", in_quotes(topic), rdkafka().rd_kafka_err2str(why)));
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace askfew::kafka

#include "apps/kafka/answer_producer.h"

#include <fmt/core.h>
#include <iterator>

#include "askfew/core/errors.h"

namespace askfew::kafka {
namespace {

constexpr int wait_for_room = 100;  // milliseconds

/// librdkafka carries a pointer with each message; here it is the number of the message.
void* as_pointer(std::uint64_t number) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
}

}  // namespace

AnswerProducer::AnswerProducer(std::vector<Property> properties, Destination destination, Arrived arrived,
                               const std::atomic<bool>& stop)
    : destination_(std::move(destination)), arrived_(std::move(arrived)), stop_(stop) {
  // An answer is tried for as long as the process lives: the ledger knows which answers have arrived.
  properties.insert(properties.end(), {{"enable.idempotence", "true"}, {"message.timeout.ms", "0"}});
  events_.delivered = [this](const rd_kafka_message_t* message) { see_delivery(*message); };
  events_.failed = [this](rd_kafka_resp_err_t error, const char* why) {
    if (error == RD_KAFKA_RESP_ERR__FATAL) failure_ = why;
  };
  client_ = make_client(RD_KAFKA_PRODUCER, properties, events_);
  topic_.reset(rdkafka().rd_kafka_topic_new(client_.get(), destination_.topic.c_str(), nullptr));
  if (topic_ == nullptr) {
    throw ConfigError(fmt::format("{} is no name of a topic: {}", destination_.topic,
                                  rdkafka().rd_kafka_err2str(rdkafka().rd_kafka_last_error())));
  }
}

void AnswerProducer::see_delivery(const rd_kafka_message_t& message) {
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    if (message.err != RD_KAFKA_RESP_ERR__PURGE_QUEUE && message.err != RD_KAFKA_RESP_ERR__PURGE_INFLIGHT)
      failure_ = rdkafka().rd_kafka_message_errstr(&message);
    return;
  }
  const auto number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(message._private));
  std::deque<Mark>& marks = marks_[message.partition];
  while (!marks.empty() && marks.front().sent <= number) {
    arrived_(message.partition, marks.front().answers);
    marks.pop_front();
  }
}

void AnswerProducer::send(std::int32_t partition, const MessageAnswer& answer) {
  if (given_up_) return;
  source_.clear();
  fmt::format_to(std::back_inserter(source_), "{}/{}/{}", answer.topic, partition, answer.offset);
  round_.clear();
  if (answer.round > 0) fmt::format_to(std::back_inserter(round_), "{}", answer.round);
  const std::string_view key = answer.key.value_or(std::string_view());
  const char* key_bytes = answer.key ? key.data() : nullptr;
  ++sent_;
  while (true) {
    rd_kafka_headers_t* headers = rdkafka().rd_kafka_headers_new(3);
    rdkafka().rd_kafka_header_add(headers, "source", -1, source_.data(),
                                  static_cast<ssize_t>(source_.size()));
    if (!round_.empty())
      rdkafka().rd_kafka_header_add(headers, "round", -1, round_.data(), static_cast<ssize_t>(round_.size()));
    if (const std::string& shard = destination_.shard; !shard.empty())
      rdkafka().rd_kafka_header_add(headers, "shard", -1, shard.data(), static_cast<ssize_t>(shard.size()));
    const rd_kafka_resp_err_t error = rdkafka().rd_kafka_producev(
        client_.get(), RD_KAFKA_V_RKT(topic_.get()), RD_KAFKA_V_PARTITION(partition),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_VALUE(const_cast<char*>(answer.text.data()), answer.text.size()),
        RD_KAFKA_V_KEY(key_bytes, key.size()), RD_KAFKA_V_HEADERS(headers),
        RD_KAFKA_V_OPAQUE(as_pointer(sent_)), RD_KAFKA_V_END);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
    rdkafka().rd_kafka_headers_destroy(headers);
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL)
      throw DataError({.why = fmt::format("an answer cannot be sent to the topic {}: {}", destination_.topic,
                                          rdkafka().rd_kafka_err2str(error))});
    rdkafka().rd_kafka_poll(client_.get(), wait_for_room);
    if (!failure_.empty()) poll();
    if (stop_) {  // the ledger knows that this answer has not arrived
      given_up_ = true;
      return;
    }
  }
}

void AnswerProducer::mark(std::int32_t partition, std::uint64_t answers) {
  if (!given_up_) marks_[partition].push_back({sent_, answers});
}

void AnswerProducer::poll() {
  rdkafka().rd_kafka_poll(client_.get(), 0);
  if (failure_.empty()) return;
  throw DataError(
      {.why = fmt::format("an answer cannot be sent to the topic {}: {}", destination_.topic, failure_)});
}

bool AnswerProducer::flush(int milliseconds) {
  return rdkafka().rd_kafka_flush(client_.get(), milliseconds) == RD_KAFKA_RESP_ERR_NO_ERROR &&
         failure_.empty();
}

}  // namespace askfew::kafka

#include "apps/kafka/stream.h"

#include <array>
#include <exception>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

#include "apps/kafka/group_claims.h"

namespace askfew::kafka {
namespace {

using namespace std::chrono_literals;

constexpr int poll_wait = 100;               // milliseconds
constexpr std::size_t largest_batch = 2000;  // messages
constexpr auto between_commits = 5s;
constexpr int last_flush = 10'000;  // milliseconds

std::vector<Property> consumer_properties(const StreamOptions& options) {
  // The ledger holds the offsets, so none is stored or found by itself. A ledger may be replayed for long: a
  // process that does not poll keeps its partitions, whose ledgers it has locked anyway. With `range` a
  // process has the same partitions of both topics.
  std::vector<Property> properties{
      {"bootstrap.servers", options.brokers}, {"group.id", options.group},
      {"enable.auto.commit", "false"},        {"enable.auto.offset.store", "false"},
      {"auto.offset.reset", "error"},         {"partition.assignment.strategy", "range"},
      {"max.poll.interval.ms", "86400000"}};
  for (const std::string& text : options.properties) properties.push_back(property_of(text));
  return properties;
}

std::vector<Property> producer_properties(const StreamOptions& options) {
  std::vector<Property> properties{{"bootstrap.servers", options.brokers}};
  for (const std::string& text : options.properties) properties.push_back(property_of(text));
  return properties;
}

class Stream {
 public:
  Stream(const StreamOptions& options, const Partitions::Open& open, const std::atomic<bool>& stop,
         const Tell& tell);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  /// Leaves the group while all members are there, because leaving calls `see_rebalance`.
  ~Stream() { rdkafka().rd_kafka_consumer_close(consumer_.get()); }

  void run();

 private:
  /// The messages of a partition that have come together: instances, then labels; of one topic all are
  /// instances.
  struct Batch {
    std::array<std::vector<Message>, 2> messages;
  };

  void subscribe();
  void see_rebalance(rd_kafka_resp_err_t what, const rd_kafka_topic_partition_list_t& partitions);
  void see_assigned(const rd_kafka_topic_partition_list_t& partitions);
  void see_failure(rd_kafka_resp_err_t error, const std::string& why);
  /// Reads from where the open sessions go on.
  void assign_open();
  void forget_batch();
  void gather();
  void add(MessageHandle message);
  void take_batch();
  void open_waiting();
  void commit_now_and_then();

  const StreamOptions& options_;
  const std::atomic<bool>& stop_;
  const Tell& tell_;
  LedgerFolder folder_;
  std::exception_ptr failure_;  // in a callback
  std::string told_;
  ClientEvents events_;
  ClientHandle consumer_;
  std::int32_t count_ = 0;
  AnswerProducer producer_;
  Partitions partitions_;
  GroupClaims claims_;
  std::map<std::int32_t, Batch> batch_;
  std::vector<MessageHandle> held_;  // the messages of the batch
  std::chrono::steady_clock::time_point committed_ = std::chrono::steady_clock::now();
};

/// The number of partitions that all three topics have. THROWS: ConfigError.
std::int32_t common_partitions(rd_kafka_t* consumer, const StreamOptions& options) {
  const Topics& topics = options.topics;
  const std::int32_t count = count_partitions(consumer, options.brokers, topics.instances);
  for (const std::string& other : {topics.labels, topics.answers}) {
    const std::int32_t there = count_partitions(consumer, options.brokers, other);
    if (there == count) continue;
    throw ConfigError(fmt::format(
        "the topic {} has {} partitions, and the topic {} has {}: they need the same number, so that an "
        "instance, its label and its answer have the same partition",
        in_quotes(topics.instances), count, in_quotes(other), there));
  }
  return count;
}

Stream::Stream(const StreamOptions& options, const Partitions::Open& open, const std::atomic<bool>& stop,
               const Tell& tell)
    : options_(options),
      stop_(stop),
      tell_(tell),
      folder_(options.folder, options.shard),
      events_{.rebalance =
                  [this](rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* partitions) {
                    see_rebalance(what, *partitions);
                  },
              .delivered = {},
              .failed =
                  [this](rd_kafka_resp_err_t error, const char* why) {
                    try {
                      see_failure(error, why);
                    } catch (...) {
                      failure_ = std::current_exception();
                    }
                  }},
      consumer_(make_client(RD_KAFKA_CONSUMER, consumer_properties(options), events_)),
      count_(common_partitions(consumer_.get(), options)),
      producer_(
          producer_properties(options), {.topic = options.topics.answers, .shard = options.shard},
          [this](std::int32_t partition, std::uint64_t answers) { partitions_.arrived(partition, answers); },
          stop),
      partitions_(options.topics, count_, folder_, open, producer_, tell),
      claims_(consumer_.get(), options.group, options.topics, folder_) {
  rdkafka().rd_kafka_poll_set_consumer(consumer_.get());
}

void Stream::see_failure(rd_kafka_resp_err_t error, const std::string& why) {
  if (error == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) {
    throw DataError(
        {.why = fmt::format("the broker does not have the messages any more, or not yet, with which a "
                            "ledger goes on: {}",
                            why)});
  }
  if (error == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
      error == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED || error == RD_KAFKA_RESP_ERR__FATAL)
    throw ConfigError("Kafka: " + why);
  // Everything else may pass; it is told once.
  std::string what = fmt::format("Kafka: {}: waiting", rdkafka().rd_kafka_err2str(error));
  if (what == told_) return;
  tell_(what);
  told_ = std::move(what);
}

void Stream::see_rebalance(rd_kafka_resp_err_t what, const rd_kafka_topic_partition_list_t& partitions) {
  forget_batch();
  try {
    if (what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) return see_assigned(partitions);
    // Unless the partitions are lost, their sessions stay open: most come back. Those that do not are closed
    // once this is known.
    if (rdkafka().rd_kafka_assignment_lost(consumer_.get()) != 0) partitions_.close();
  } catch (...) {
    failure_ = std::current_exception();
  }
  rdkafka().rd_kafka_assign(consumer_.get(), nullptr);
}

void Stream::see_assigned(const rd_kafka_topic_partition_list_t& partitions) {
  std::array<std::set<std::int32_t>, 2> numbers;
  for (int k = 0; k < partitions.cnt; ++k) {
    const rd_kafka_topic_partition_t& partition = partitions.elems[k];
    numbers[partition.topic == options_.topics.instances ? 0 : 1].insert(partition.partition);
  }
  if (numbers[0] != numbers[1] && options_.topics.read().size() == 2) {
    throw ConfigError(
        fmt::format("the group {} has processes that do not read both topics: choose another group",
                    in_quotes(options_.group)));
  }
  partitions_.set(numbers[0]);
  assign_open();
}

void Stream::assign_open() {
  const PartitionsHandle list = partitions_list();
  partitions_.for_each_open([&](std::int32_t number, const MessageTaker& session) {
    for (const std::string& topic : options_.topics.read()) {
      rdkafka().rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), number)->offset =
          session.next(topic).value_or(RD_KAFKA_OFFSET_BEGINNING);
    }
  });
  rdkafka().rd_kafka_assign(consumer_.get(), list.get());
}

void Stream::forget_batch() {
  for (auto& [number, batch] : batch_) {
    for (std::vector<Message>& messages : batch.messages) messages.clear();
  }
  held_.clear();
}

void Stream::gather() {
  int wait = poll_wait;
  while (held_.size() < largest_batch) {
    MessageHandle message(rdkafka().rd_kafka_consumer_poll(consumer_.get(), wait));
    if (failure_) std::rethrow_exception(failure_);
    if (message == nullptr) return;
    add(std::move(message));
    wait = 0;
  }
}

void Stream::add(MessageHandle message) {
  if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR)
    return see_failure(message->err, rdkafka().rd_kafka_message_errstr(message.get()));
  const bool is_instance = options_.topics.instances == rdkafka().rd_kafka_topic_name(message->rkt);
  const auto bytes = [](const void* data, std::size_t size) {
    return std::string_view(static_cast<const char*>(data), size);
  };
  Message taken{
      .key = std::nullopt, .line = bytes(message->payload, message->len), .offset = message->offset};
  if (message->key != nullptr) taken.key = bytes(message->key, message->key_len);
  batch_[message->partition].messages[is_instance ? 0 : 1].push_back(taken);
  held_.push_back(std::move(message));
}

void Stream::take_batch() {
  for (auto& [number, batch] : batch_) {
    if (!batch.messages[0].empty()) partitions_.take(number, options_.topics.instances, batch.messages[0]);
    if (!batch.messages[1].empty()) partitions_.take(number, options_.topics.labels, batch.messages[1]);
  }
  forget_batch();
}

void Stream::open_waiting() {
  if (!partitions_.has_waiting()) return;
  if (partitions_.open_waiting([&](std::int32_t number) { return claims_.may_open(number); })) {
    claims_.check(partitions_);
    assign_open();
  }
}

void Stream::commit_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (now - committed_ < between_commits) return;
  committed_ = now;
  claims_.commit(partitions_, true);
}

void Stream::subscribe() {
  const PartitionsHandle topics = partitions_list();
  for (const std::string& topic : options_.topics.read())
    rdkafka().rd_kafka_topic_partition_list_add(topics.get(), topic.c_str(), RD_KAFKA_PARTITION_UA);
  if (const auto error = rdkafka().rd_kafka_subscribe(consumer_.get(), topics.get());
      error != RD_KAFKA_RESP_ERR_NO_ERROR)
    throw ConfigError(fmt::format("cannot subscribe to the topics: {}", rdkafka().rd_kafka_err2str(error)));
}

void Stream::run() {
  subscribe();
  while (!stop_) {
    gather();
    take_batch();
    producer_.poll();
    open_waiting();
    commit_now_and_then();
  }
  const bool all = producer_.flush(last_flush);
  if (!all) tell_("some answers have not arrived: the next process sends them again");
  claims_.commit(partitions_, !all);  // a broker that is gone is not waited for
  partitions_.close();
  if (const std::string refused = partitions_.counts().text("messages"); !refused.empty()) tell_(refused);
}

}  // namespace

void stream(const StreamOptions& options, const Partitions::Open& open, const std::atomic<bool>& stop,
            const Tell& tell) {
  Stream(options, open, stop, tell).run();
}

}  // namespace askfew::kafka

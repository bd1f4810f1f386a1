#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "askfew/messages/message_taker.h"

#include "apps/kafka/client.h"

namespace askfew::kafka {

/// Sends answers to the topic of the answers, in order and without repetition while this process lives: an
/// answer goes to the partition with the number of the message that it answers.
class AnswerProducer {
 public:
  /// `arrived`: the answers of this partition that were marked so have arrived. REQUIRES: `stop` outlives
  /// this object. THROWS: ConfigError.
  using Arrived = std::function<void(std::int32_t partition, std::uint64_t answers)>;
  struct Destination {
    std::string topic;
    std::string shard;  ///< all answers have it as a header; empty: none
  };
  AnswerProducer(std::vector<Property> properties, Destination destination, Arrived arrived,
                 const std::atomic<bool>& stop);

  /// Waits while too many answers wait for the broker, unless `stop` is set. THROWS: DataError if an answer
  /// was refused for good.
  void send(std::int32_t partition, const MessageAnswer& answer);
  /// Once all answers of the partition that were sent so far have arrived, `arrived` is called.
  void mark(std::int32_t partition, std::uint64_t answers);
  /// `arrived` is not called any more for what was sent so far.
  void forget(std::int32_t partition) { marks_.erase(partition); }
  /// Calls `arrived` for what has arrived. THROWS: DataError if an answer was refused for good.
  void poll();
  /// Waits until all answers have arrived, at most so many milliseconds. Returns whether they have.
  bool flush(int milliseconds);

 private:
  struct Mark {
    std::uint64_t sent = 0;
    std::uint64_t answers = 0;
  };

  void see_delivery(const rd_kafka_message_t& message);

  Destination destination_;
  Arrived arrived_;
  const std::atomic<bool>& stop_;
  std::uint64_t sent_ = 0;
  bool given_up_ = false;  // an answer was not sent: no later answer is
  std::map<std::int32_t, std::deque<Mark>> marks_;
  std::string failure_;
  std::string source_, round_;
  ClientEvents events_;
  ClientHandle client_;
  TopicHandle topic_;
};

}  // namespace askfew::kafka

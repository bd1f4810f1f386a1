#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "askfew/messages/message_taker.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/even_clock.h"

#include "apps/kafka/answer_producer.h"
#include "apps/kafka/ledger_folder.h"

namespace askfew::kafka {

/// A sentence for the person who runs the stream.
using Tell = std::function<void(const std::string& what)>;

struct Topics {
  std::string instances, labels, answers;

  /// The topics that are read: one, if it has instances and labels.
  [[nodiscard]] std::vector<std::string> read() const {
    return instances == labels ? std::vector{instances} : std::vector{instances, labels};
  }
};

/// The sessions of the partitions that this process has. A partition that has come waits until the process
/// that had it has released its ledger.
class Partitions {
 public:
  /// Opens what takes the messages of a partition. `place`: the path of its ledger, or of the folder of its
  /// ledgers, without an ending. THROWS: LedgerBusy, and what opening a session throws.
  using Open = std::function<std::unique_ptr<MessageTaker>(const MessagePartition& partition,
                                                           const std::string& place, std::int64_t now)>;

  /// REQUIRES: everything outlives this object.
  Partitions(const Topics& topics, std::int32_t count, const LedgerFolder& folder, const Open& open,
             AnswerProducer& producer, const Tell& tell)
      : topics_(topics), count_(count), folder_(folder), open_(open), producer_(producer), tell_(tell) {}

  /// Closes the sessions of partitions that went, and lets those wait that have come.
  void set(const std::set<std::int32_t>& numbers);
  [[nodiscard]] bool has_waiting() const;
  /// Opens waiting partitions whose ledger is free; `may_open` says for each whether it may be opened.
  /// Returns whether any was opened. THROWS: FileError if a ledger is not released for a long time; and what
  /// opening a session throws.
  bool open_waiting(const std::function<bool(std::int32_t)>& may_open);

  /// Takes messages of one of the two topics.
  void take(std::int32_t number, const std::string& topic, std::span<const Message> messages);
  void arrived(std::int32_t number, std::uint64_t answers);
  /// What came since the beginning; answers that are sent again do not count.
  [[nodiscard]] const RefusalCount& counts() const { return counts_; }
  /// Closes all sessions.
  void close() { set({}); }

  /// The open sessions.
  void for_each_open(const std::function<void(std::int32_t number, const MessageTaker&)>& see) const;

 private:
  struct Partition {
    std::unique_ptr<MessageTaker> session;  // null: waiting
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    bool told = false;
  };

  /// Returns whether the partition was opened.
  bool open(std::int32_t number, Partition& partition);
  void finish(std::int32_t number, Partition& partition);
  void wait_longer(std::int32_t number, Partition& partition, const std::string& why) const;
  [[nodiscard]] MessageTaker::Send sender(std::int32_t number);

  const Topics& topics_;
  std::int32_t count_;
  const LedgerFolder& folder_;
  const Open& open_;
  AnswerProducer& producer_;
  const Tell& tell_;
  EvenClock clock_;
  std::map<std::int32_t, Partition> partitions_;
  RefusalCount counts_;
};

}  // namespace askfew::kafka

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "askfew/ledger/ledger_file.h"
#include "askfew/messages/message_session.h"
#include "askfew/sessions/recently_used.h"
#include "askfew/sessions/sessions_by_key.h"

namespace askfew {

/// Takes the messages of a partition with many small sessions, one for each value of a field of the lines.
/// The message's key is this value, so that all messages of a session are in one partition.
///
/// Each session's ledger contains the offsets of its own messages, and passes over those that it has. The
/// position of the partition, a small file, is only a lower bound: the offset before which everything was
/// taken and every answer has arrived. So a message is read again after a kill if its session, or its answer,
/// may need it.
class MessagesByKey : public MessageTaker {
 public:
  using Open = std::function<SessionLedger(const std::string& ledger, const LedgerObserver& observer)>;

  /// `options.folder` is for this partition alone, and is locked. THROWS: LedgerBusy, FileError; ConfigError
  /// if the folder has other topics.
  MessagesByKey(MessagePartition partition, KeyedOptions options, Open open);

  void answer_again(const Send&) override {}  // a session does so when it is opened
  void take(const std::string& topic, std::span<const Message> messages, std::int64_t came,
            const Send& send) override;
  [[nodiscard]] std::optional<std::int64_t> next(const std::string& topic) const override;
  [[nodiscard]] std::int64_t recorded_next(const std::string& topic) const override;
  [[nodiscard]] std::uint64_t answers() const override { return taken_; }
  void arrived(std::uint64_t answers) override;
  [[nodiscard]] bool finish() override;
  [[nodiscard]] std::string found() const override;

 private:
  using Positions = std::map<std::string, std::int64_t>;
  using Session = std::unique_ptr<MessageSession>;
  /// Messages with one key.
  struct Run {
    std::string key, token;
    std::string ledger;
    std::vector<Message> messages;
  };
  /// What is known once all answers so far have arrived.
  struct Group {
    std::uint64_t number = 0;
    std::vector<std::pair<std::string, std::uint64_t>> sessions;  // keys, and their numbers of answers
    Positions next;
  };

  void read_position();
  void write_position();
  /// The run of a message; null if the message has no key, and then it is answered.
  Run* run_of(const std::string& topic, const Message& message, const Send& send);
  void refuse(const std::string& topic, const Message& message, const std::string& why, const Send& send);
  MessageSession& session(const Run& run, std::int64_t came, const Send& send);
  void make_room();
  /// Adds the field to answers, and sends them with the run's key.
  [[nodiscard]] Send with_field(const Run& run, const Send& send);

  MessagePartition partition_;
  KeyedOptions options_;
  Open open_;
  std::unique_ptr<LedgerFile> lock_;
  JsonKey reader_;
  RecentlyUsed<Session> sessions_;
  std::map<std::string, std::size_t> run_places_;
  std::vector<Run> runs_;
  std::uint64_t taken_ = 0;
  std::deque<Group> groups_;  // whose answers have not all arrived
  Positions next_;
  Positions arrived_;  // before these everything has arrived
  Positions written_;
  std::chrono::steady_clock::time_point wrote_ = std::chrono::steady_clock::now();
  std::string padded_, text_;
};

}  // namespace askfew

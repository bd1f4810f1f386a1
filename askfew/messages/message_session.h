#pragma once

// A session that takes the messages of one partition, each exactly once.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/messages/message_taker.h"
#include "askfew/sessions/answer_writer.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/session_ledger.h"

// Threads: an object is for one thread at a time.

namespace askfew {

/// What the keys of messages are.
enum class MessageKeys : std::uint8_t {
  are_ids,   ///< the key of a message must be the id in its line
  of_models  ///< the caller has checked them
};

/// A session that takes the messages of a partition. The ledger contains the offset of every message together
/// with its line, in one write, and a message before the next offset is passed over. Answers that may not
/// have arrived anywhere are given again after the ledger was opened again, in the same words.
class MessageSession : public MessageTaker, private LineSource {
 public:
  using Open = std::function<SessionLedger(const LedgerObserver&)>;

  /// `open` opens the session's ledger and shows its content to the observer. `sync`: see Recorder. `now`:
  /// the time of the machine's clock. THROWS: ConfigError if the ledger has other lines than messages of this
  /// partition; and what `open` throws.
  MessageSession(MessagePartition partition, MessageKeys keys, const Open& open, bool sync, std::int64_t now);

  void answer_again(const Send& send) override;
  void take(const std::string& topic, std::span<const Message> messages, std::int64_t came,
            const Send& send) override;
  [[nodiscard]] std::optional<std::int64_t> next(const std::string& topic) const override;
  [[nodiscard]] std::int64_t recorded_next(const std::string& topic) const override {
    return next(topic).value_or(0);
  }
  /// The number of lines and refused messages in the ledger.
  [[nodiscard]] std::uint64_t answers() const override { return answers_; }
  void arrived(std::uint64_t answers) override { arrived_ = std::max(arrived_, answers); }
  [[nodiscard]] bool has_arrived() const { return arrived_ >= answers_; }
  [[nodiscard]] bool finish() override;
  [[nodiscard]] std::string found() const override;
  [[nodiscard]] const Model& model() const { return live_.session->model(); }

 private:
  struct Kept {
    std::uint64_t number = 0;  // of the line or refused message
    std::string text, topic;
    std::optional<std::string> key;
    std::int64_t offset = 0;
    std::uint64_t round = 0;
  };

  void see_event(const LedgerEvent& event);
  void see_line(const Session& session, const Replayed& replayed);
  void begin_group(const MessagesTaken& taken);
  void end_group();
  void see_read(std::size_t line, Incoming& incoming) override;
  void record(std::size_t first, std::span<const Incoming> group, LedgerWriter& ledger) override;
  void see_answer(std::size_t line, const Outcome* outcome, std::string_view answer) override;
  [[nodiscard]] MessagesTaken taken_now(std::string topic, std::int64_t next) const;
  static void send_lines(std::string_view text, MessageAnswer answer, const Send& send);

  MessagePartition partition_;
  MessageKeys keys_;
  std::map<std::string, std::int64_t, std::less<>> next_;  // of each topic
  std::uint64_t answers_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t recorded_ = 0;  // of those that arrived, as many as the ledger knows
  // Only while the ledger is replayed.
  std::deque<Kept> kept_;
  std::optional<MessagesTaken> group_;
  std::uint64_t lines_ = 0;         // lines of the ledger so far
  std::uint64_t lines_before_ = 0;  // lines before the group
  std::unique_ptr<AnswerWriter> writer_;
  Incoming shown_;
  // Only while messages are taken.
  std::string_view topic_;
  std::span<const Message> messages_;
  const Send* send_ = nullptr;
  std::string bytes_, answered_;
  std::vector<std::string_view> texts_;

  SessionLedger live_;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace askfew

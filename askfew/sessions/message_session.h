#pragma once

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

#include "askfew/sessions/answer_writer.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/session_ledger.h"

// Threads: an object is for one thread at a time.

namespace askfew {

/// A message of a topic's partition.
struct Message {
  std::optional<std::string_view> key;  ///< must be the id
  std::string_view line;
  std::int64_t offset = 0;
};

/// An answer to a message. Valid only during the call that gets it.
struct MessageAnswer {
  std::string_view text;  ///< one line of JSON, without its end
  std::optional<std::string_view> key;
  std::string_view topic;  ///< of the message that is answered
  std::int64_t offset = 0;
  std::uint64_t round = 0;  ///< 0: the answer belongs to no round
};

/// The partition of one or more topics whose messages a session takes. All topics have the same number of
/// partitions, and messages with the same key are in partitions with the same number.
struct MessagePartition {
  std::vector<std::string> topics;
  std::int32_t partition = 0;
  std::int32_t partitions = 0;
};

/// A session that takes the messages of a partition, each exactly once, however often the process dies: the
/// ledger contains the offset of every message together with its line, in one write, and a message before
/// the next offset is passed over. Answers that may not have arrived anywhere are given again after the
/// ledger was opened again, in the same words.
class MessageSession : private LineSource {
 public:
  using Send = std::function<void(const MessageAnswer&)>;
  using Open = std::function<SessionLedger(const LedgerObserver&)>;

  /// `open` opens the session's ledger and shows its content to the observer. `sync`: see Recorder. `now`:
  /// the time of the machine's clock. THROWS: ConfigError if the ledger has other lines than messages of this
  /// partition; and what `open` throws.
  MessageSession(MessagePartition partition, const Open& open, bool sync, std::int64_t now);
  MessageSession(const MessageSession&) = delete;
  MessageSession& operator=(const MessageSession&) = delete;
  ~MessageSession() override = default;

  /// Gives the answers that may not have arrived; REQUIRES: called once, before the first messages.
  void answer_again(const Send& send);
  /// Takes messages of a topic, in the order of their offsets, that came at this time. Messages that are not
  /// lines of a session are answered with an error and passed over. THROWS: FileError if the messages could
  /// not be recorded; those that were not answered were not taken, and this object is of no more use.
  void take(const std::string& topic, std::span<const Message> messages, std::int64_t came, const Send& send);

  /// The offset of the first message of a topic that was not taken; nothing: no message was.
  [[nodiscard]] std::optional<std::int64_t> next(const std::string& topic) const;

  /// Lines and refused messages of the ledger; once all answers so far have arrived, `arrived` is called with
  /// this number, now or later.
  [[nodiscard]] std::uint64_t answers() const { return answers_; }
  void arrived(std::uint64_t answers) { arrived_ = std::max(arrived_, answers); }
  /// Records which answers have arrived. Returns whether all records are written.
  [[nodiscard]] bool finish();

  [[nodiscard]] const SessionLedger& live() const { return live_; }

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

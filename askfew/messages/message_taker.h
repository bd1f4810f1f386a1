#pragma once

// The interface of what takes messages: one session, or one session per key.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace askfew {

/// A message of a topic's partition.
struct Message {
  std::optional<std::string_view> key;
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

/// The partition of one or more topics whose messages are taken. All topics have the same number of
/// partitions, and messages with the same key are in partitions with the same number.
struct MessagePartition {
  std::vector<std::string> topics;
  std::int32_t partition = 0;
  std::int32_t partitions = 0;
};

/// Takes the messages of a partition, each exactly once, however often the process dies.
class MessageTaker {
 public:
  using Send = std::function<void(const MessageAnswer&)>;

  MessageTaker() = default;
  MessageTaker(const MessageTaker&) = delete;
  MessageTaker& operator=(const MessageTaker&) = delete;
  virtual ~MessageTaker() = default;

  /// Gives the answers that may not have arrived, in the same words; REQUIRES: called once, before the first
  /// messages.
  virtual void answer_again(const Send& send) = 0;
  /// Takes messages of a topic, in the order of their offsets, that came at this time. Messages that are not
  /// lines of a session are answered with an error and passed over. THROWS: FileError if the messages could
  /// not be recorded; those that were not answered were not taken, and this object is of no more use.
  virtual void take(const std::string& topic, std::span<const Message> messages, std::int64_t came,
                    const Send& send) = 0;

  /// The offset from which messages of a topic are read; nothing: from the first one.
  [[nodiscard]] virtual std::optional<std::int64_t> next(const std::string& topic) const = 0;

  /// The offset from which the next process would read; at most `next`.
  [[nodiscard]] virtual std::int64_t recorded_next(const std::string& topic) const = 0;

  /// A number that grows with the answers. Once all answers so far have arrived, `arrived` is called with
  /// this number, now or later.
  [[nodiscard]] virtual std::uint64_t answers() const = 0;
  /// Throws nothing.
  virtual void arrived(std::uint64_t answers) = 0;
  /// Records which answers have arrived. Returns whether all records are written.
  [[nodiscard]] virtual bool finish() = 0;

  /// What was found when it was opened, in words.
  [[nodiscard]] virtual std::string found() const = 0;
};

}  // namespace askfew

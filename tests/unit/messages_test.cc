// Sessions that take messages: wherever the ledger's file ends, every message is taken once and every answer
// is given.

#include <gtest/gtest.h>
#include <map>
#include <set>

#include "askfew/messages/message_session.h"
#include "askfew/models/model_file.h"

#include "tests/unit/memory_file.h"

namespace askfew {
namespace {

const std::string instances = "instances";
const std::string labels = "labels";

/// Messages of both topics, some of them no lines; the offsets have gaps, as after compaction.
struct Sent {
  std::string topic;
  std::int64_t offset;
  std::string key, line;
};
std::vector<Sent> all_messages() {
  std::vector<Sent> sent;
  for (int k = 0; k < 12; ++k) {
    const std::string id = std::to_string(k);
    sent.push_back({instances, 3 * k, id, R"({"id": )" + id + R"(, "text": "white rook )" + id + R"("})"});
    if (k % 4 == 1) sent.push_back({instances, 3 * k + 1, id, R"({"id": broken)"});
    if (k % 3 == 2) sent.push_back({labels, k, id, R"({"id": )" + id + R"(, "label": 1})"});
  }
  return sent;
}

struct Given {
  std::string text;
  std::uint64_t round = 0;
  bool operator==(const Given&) const = default;
};
using Answers = std::map<std::pair<std::string, std::int64_t>, Given>;

class Partition {
 public:
  explicit Partition(const std::string& path)
      : session_(
            {.topics = {instances, labels}, .partition = 2, .partitions = 4}, MessageKeys::are_ids,
            [&](const LedgerObserver& observer) {
              return open_session_ledger(path, {.config = {.sampler = parse_preset("sel-p"), .seed = 1}},
                                         SettingsMismatch::is_an_error, nullptr, observer);
            },
            false, 0) {
    session_.answer_again(keep());
  }

  MessageSession& operator*() { return session_; }
  MessageSession* operator->() { return &session_; }

  /// Takes groups of one topic, up to three messages each, from where the session goes on.
  void take(const std::vector<Sent>& sent) {
    std::vector<Message> group;
    std::string topic;
    const auto take_group = [&] {
      if (!group.empty()) session_.take(topic, group, 0, keep());
      group.clear();
    };
    for (const Sent& message : sent) {
      if (message.offset < session_.next(message.topic).value_or(0)) continue;
      if (topic != message.topic || group.size() == 3) take_group();
      topic = message.topic;
      group.push_back({.key = message.key, .line = message.line, .offset = message.offset});
    }
    take_group();
  }

  [[nodiscard]] const Answers& given() const { return given_; }
  std::string model() { return encode_model(snapshot_of(session_.model())); }

 private:
  MessageTaker::Send keep() {
    return [this](const MessageAnswer& answer) {
      given_[{std::string(answer.topic), answer.offset}] = {std::string(answer.text), answer.round};
    };
  }

  Answers given_;
  MessageSession session_;
};

TEST(MessageSession, takes_each_message_once_wherever_the_file_ends) {
  const std::vector<Sent> sent = all_messages();
  MemoryFile file;
  Partition whole(file.path());
  whole.take(sent);
  ASSERT_EQ(whole.given().size(), sent.size());
  const std::string bytes = file.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 3) {
    MemoryFile cut;
    cut.write(bytes.substr(0, size));
    Partition again(cut.path());
    const Answers at_once = again.given();  // of all messages that the cut ledger has
    for (const auto& [message, answer] : at_once) EXPECT_EQ(answer, whole.given().at(message));
    again.take(sent);
    EXPECT_EQ(again.given(), whole.given()) << "cut at " << size;
    EXPECT_EQ(again.model(), whole.model()) << "cut at " << size;
  }
}

TEST(MessageSession, gives_no_answer_again_that_is_known_to_have_arrived) {
  MemoryFile file;
  const std::vector<Sent> sent = all_messages();
  {
    Partition first(file.path());
    first.take(sent);
    first->arrived(first->answers());
    ASSERT_TRUE(first->finish());
  }
  Partition second(file.path());
  EXPECT_TRUE(second.given().empty());
  EXPECT_EQ(second->answers(), sent.size());
  EXPECT_EQ(second->next(instances), 34);
}

TEST(MessageSession, passes_over_messages_that_it_has) {
  MemoryFile file;
  Partition partition(file.path());
  const std::string line = R"({"id": 1, "text": "white rook"})";
  const std::vector<Message> messages{{.key = "1", .line = line, .offset = 7}};
  int answers = 0;
  const auto count = [&](const MessageAnswer&) { ++answers; };
  partition->take(instances, messages, 0, count);
  partition->take(instances, messages, 0, count);
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(partition->next(instances), 8);
  EXPECT_EQ(partition->next(labels), std::nullopt);
}

}  // namespace
}  // namespace askfew

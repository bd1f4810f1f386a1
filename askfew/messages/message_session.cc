#include "askfew/messages/message_session.h"

#include <algorithm>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/core/expects.h"
#include "askfew/sessions/answers.h"

namespace askfew {
namespace {

std::uint64_t round_of(const Outcome* outcome) {
  if (outcome == nullptr) return 0;
  if (const auto decisions = decisions_of(*outcome); !decisions.empty()) return decisions[0].round;
  if (const auto* repeat = std::get_if<Repeat>(outcome)) return repeat->round;
  if (const auto receipts = receipts_of(*outcome); !receipts.empty()) return receipts[0].round;
  if (const auto* settings = std::get_if<SettingsReceipt>(outcome)) return settings->round;
  return 0;
}

/// The fault of a message that is a line, or an empty text.
std::string fault_of(const Message& message, const Incoming& incoming, MessageKeys keys) {
  switch (incoming.kind) {
    case Incoming::Kind::instance:
    case Incoming::Kind::label:
    case Incoming::Kind::labelled: {
      if (keys == MessageKeys::of_models) return "";
      const std::string_view id = std::string_view(incoming.id).substr(incoming.id.starts_with('"') ? 1 : 0);
      if (!message.key)
        return "the message has no key: its key must be its id, so that its label comes to the same "
               "partition";
      if (*message.key == id) return "";
      return fmt::format("the key {} is not the id {}: the label would come to another partition",
                         in_quotes(*message.key), in_quotes(id));
    }
    case Incoming::Kind::blank:
      return "an empty message";
    case Incoming::Kind::report:
    case Incoming::Kind::pending:
    case Incoming::Kind::disputed:
    case Incoming::Kind::peek:
      return "messages are instances, labels and settings: reports come from the ledger";
    default:
      return "";
  }
}

}  // namespace

MessageSession::MessageSession(MessagePartition partition, MessageKeys keys, const Open& open, bool sync,
                               std::int64_t now)
    : partition_(std::move(partition)), keys_(keys) {
  live_ = open({.line = [this](const Session& session, const Replayed& line) { see_line(session, line); },
                .event = [this](const LedgerEvent& event) { see_event(event); }});
  end_group();
  writer_.reset();
  live_.set_clock(now);
  recorder_ = std::make_unique<Recorder>(*live_.session, live_.ledger.get(), sync, live_.clock_shift);
  recorder_->set_source(*this);
}

std::optional<std::int64_t> MessageSession::next(const std::string& topic) const {
  const auto found = next_.find(topic);
  return found == next_.end() ? std::nullopt : std::optional(found->second);
}

std::string MessageSession::found() const {
  std::string what = fmt::format("{} messages replayed", live_.replayed);
  if (live_.torn > 0) what += fmt::format(", {} bytes of an unfinished write cut off", live_.torn);
  return what;
}

void MessageSession::see_event(const LedgerEvent& event) {
  if (const auto* aside = std::get_if<LineSetAside>(&event)) {
    lines_ = std::max(lines_, aside->line);
    ++answers_;  // the line has no answer, and counts as one
  } else if (const auto* refused = std::get_if<MessageRefused>(&event)) {
    kept_.push_back({.number = answers_++,
                     .text = refused->answer,
                     .topic = refused->topic,
                     .key = refused->key,
                     .offset = refused->offset});
  } else if (const auto* taken = std::get_if<MessagesTaken>(&event)) {
    end_group();
    begin_group(*taken);
  }
}

void MessageSession::begin_group(const MessagesTaken& taken) {
  const std::vector<std::string>& topics = partition_.topics;
  if (std::find(topics.begin(), topics.end(), taken.topic) == topics.end() ||
      taken.partition != partition_.partition) {
    throw ConfigError(fmt::format(
        "the ledger has messages of the topic {}, partition {}: it does not continue with another",
        in_quotes(taken.topic), taken.partition));
  }
  if (taken.partitions != partition_.partitions) {
    throw ConfigError(fmt::format(
        "the topic {} had {} partitions when the ledger was written, and has {} now: labels of waiting "
        "questions may come to other partitions; begin with a new folder of ledgers, or with the old number",
        in_quotes(taken.topic), taken.partitions, partition_.partitions));
  }
  group_ = taken;
  lines_before_ = lines_;
  arrived_ = recorded_ = taken.answered;
  while (!kept_.empty() && kept_.front().number < arrived_) kept_.pop_front();
}

void MessageSession::end_group() {
  if (!group_) return;
  const std::uint64_t taken = lines_ - lines_before_;
  next_[group_->topic] = taken < group_->offsets.size() ? group_->offsets[taken] : group_->next;
  group_.reset();
}

void MessageSession::see_line(const Session& session, const Replayed& replayed) {
  const Incoming& incoming = replayed.incoming;
  lines_ = std::max(lines_, incoming.number);
  if (!group_ || incoming.number <= lines_before_ ||
      incoming.number > lines_before_ + group_->offsets.size()) {
    throw ConfigError(fmt::format(
        "line {} of the ledger is no message of a topic: the ledger does not continue with messages",
        incoming.number));
  }
  if (!writer_) writer_ = std::make_unique<AnswerWriter>(session, AnswerWriter::Told());
  Kept& kept = kept_.emplace_back();
  kept.number = answers_++;
  kept.topic = group_->topic;
  kept.offset = group_->offsets[incoming.number - lines_before_ - 1];
  kept.round = round_of(&replayed.outcome);
  if (!incoming.id.empty()) kept.key = incoming.id.substr(incoming.id.starts_with('"') ? 1 : 0);
  shown_.number = static_cast<std::uint64_t>(kept.offset);
  shown_.id_token = incoming.id_token;
  shown_.note = incoming.note;
  writer_->append(incoming, shown_, replayed.outcome, kept.text);
}

void MessageSession::answer_again(const Send& send) {
  for (const Kept& kept : kept_) {
    send_lines(kept.text, {.key = kept.key, .topic = kept.topic, .offset = kept.offset, .round = kept.round},
               send);
  }
  kept_.clear();
}

void MessageSession::send_lines(std::string_view text, MessageAnswer answer, const Send& send) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    answer.text = text.substr(0, end);
    send(answer);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void MessageSession::take(const std::string& topic, std::span<const Message> messages, std::int64_t came,
                          const Send& send) {
  const std::int64_t from = next(topic).value_or(0);
  while (!messages.empty() && messages.front().offset < from) messages = messages.subspan(1);
  if (messages.empty()) return;
  bytes_.clear();
  for (const Message& message : messages) bytes_ += message.line;
  bytes_.append(IncomingReader::padding, ' ');
  texts_.clear();
  std::size_t begin = 0;
  for (const Message& message : messages) {
    texts_.push_back(std::string_view(bytes_).substr(begin, message.line.size()));
    begin += message.line.size();
  }
  topic_ = topic;
  messages_ = messages;
  send_ = &send;
  answered_.clear();
  recorder_->answer(texts_, came, answered_);
}

void MessageSession::see_read(std::size_t line, Incoming& incoming) {
  const Message& message = messages_[line];
  incoming.number = static_cast<std::uint64_t>(message.offset);
  std::string why = fault_of(message, incoming, keys_);
  if (why.empty()) return;
  incoming.kind = Incoming::Kind::malformed;
  incoming.error = {.line = incoming.number, .column = 1, .why = std::move(why)};
}

MessagesTaken MessageSession::taken_now(std::string topic, std::int64_t next) const {
  return {.topic = std::move(topic),
          .partition = partition_.partition,
          .partitions = partition_.partitions,
          .offsets = {},
          .next = next,
          .answered = arrived_};
}

void MessageSession::record(std::size_t first, std::span<const Incoming> group, LedgerWriter& ledger) {
  MessagesTaken taken = taken_now(std::string(topic_), messages_[first + group.size() - 1].offset + 1);
  std::string error;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const Message& message = messages_[first + k];
    if (is_recorded(group[k].kind)) {
      taken.offsets.push_back(message.offset);
      continue;
    }
    error.clear();
    append_error(group[k], error);
    MessageRefused refused{.topic = taken.topic, .offset = message.offset, .answer = error};
    if (message.key) refused.key = std::string(*message.key);
    ledger.add(ledger::Type::event, event_payload(refused));
  }
  ledger.add(ledger::Type::event, event_payload(taken));
  recorded_ = arrived_;
  answers_ += group.size();
  next_[taken.topic] = taken.next;
}

void MessageSession::see_answer(std::size_t line, const Outcome* outcome, std::string_view answer) {
  const Message& message = messages_[line];
  send_lines(answer,
             {.key = message.key, .topic = topic_, .offset = message.offset, .round = round_of(outcome)},
             *send_);
}

bool MessageSession::finish() {
  if (!recorder_->finish()) return false;
  if (arrived_ <= recorded_ || next_.empty()) return true;
  const auto& [topic, next] = *next_.begin();
  live_.ledger->add(ledger::Type::event, event_payload(taken_now(topic, next)));
  recorded_ = arrived_;
  return recorder_->finish();
}

}  // namespace askfew

#include "askfew/messages/messages_by_key.h"

#include <algorithm>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/model_keys.h"
#include "askfew/system/atomic_file.h"

namespace askfew {
namespace {

using namespace std::chrono_literals;

constexpr auto between_positions = 1s;

std::string lock_in(const std::string& folder) {
  const std::string lock = folder + "/lock";
  make_folder_of(lock);
  return lock;
}

}  // namespace

MessagesByKey::MessagesByKey(MessagePartition partition, KeyedOptions options, Open open)
    : partition_(std::move(partition)),
      options_(std::move(options)),
      open_(std::move(open)),
      lock_(LedgerFile::for_writing(lock_in(options_.folder))),
      reader_(options_.field) {
  read_position();
}

void MessagesByKey::read_position() {
  const std::string path = options_.folder + "/position";
  std::ifstream file(path);
  if (!file) return;
  try {
    const auto position = parse_json(file);
    next_ = position.at("next").get<Positions>();
    if (position.at("partitions") != partition_.partitions || position.at("field") != options_.field ||
        std::any_of(next_.begin(), next_.end(), [&](const auto& next) {
          return std::find(partition_.topics.begin(), partition_.topics.end(), next.first) ==
                 partition_.topics.end();
        })) {
      throw ConfigError(fmt::format(
          "{}: the folder was begun with other topics, another number of partitions or another field: {}",
          path, json_text(position)));
    }
  } catch (const nlohmann::json::exception& error) {
    throw DataError({.why = error.what(), .file = path});
  }
  arrived_ = written_ = next_;
}

void MessagesByKey::write_position() {
  wrote_ = std::chrono::steady_clock::now();
  if (arrived_ == written_) return;
  const nlohmann::json position{
      {"next", arrived_}, {"partitions", partition_.partitions}, {"field", options_.field}};
  AtomicFile file(options_.folder + "/position");
  file.stream() << json_text(position) << '\n';
  file.commit();
  written_ = arrived_;
}

std::optional<std::int64_t> MessagesByKey::next(const std::string& topic) const {
  const auto found = next_.find(topic);
  return found == next_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t MessagesByKey::recorded_next(const std::string& topic) const {
  const auto found = written_.find(topic);
  return found == written_.end() ? 0 : found->second;
}

std::string MessagesByKey::found() const {
  return next_.empty() ? "begins" : "continues";
}

void MessagesByKey::refuse(const std::string& topic, const Message& message, const std::string& why,
                           const Send& send) {
  Incoming incoming;
  incoming.number = static_cast<std::uint64_t>(message.offset);
  text_.clear();
  append_error(incoming, why, text_);
  text_.pop_back();
  send({.text = text_, .key = message.key, .topic = topic, .offset = message.offset});
}

MessagesByKey::Run* MessagesByKey::run_of(const std::string& topic, const Message& message,
                                          const Send& send) {
  padded_.assign(message.line);
  padded_.append(JsonReader::padding, ' ');
  const JsonKey::Found* found = reader_.find(std::string_view(padded_).substr(0, message.line.size()));
  const auto ledger = found == nullptr ? std::nullopt : ledger_of_key(options_.folder, found->key);
  if (!ledger) {
    refuse(topic, message, complaint_of_key(options_.field, found != nullptr), send);
    return nullptr;
  }
  const std::string_view key = std::string_view(found->key).substr(found->key.starts_with('"') ? 1 : 0);
  if (message.key != key) {
    refuse(topic, message,
           fmt::format("the message's key is not its field {}, {}: its label would come to another partition",
                       in_quotes(options_.field), in_quotes(key)),
           send);
    return nullptr;
  }
  const auto [place, is_new] = run_places_.try_emplace(found->key, runs_.size());
  if (is_new) runs_.push_back({.key = found->key, .token = found->token, .ledger = *ledger, .messages = {}});
  return &runs_[place->second];
}

void MessagesByKey::take(const std::string& topic, std::span<const Message> messages, std::int64_t came,
                         const Send& send) {
  const std::int64_t from = next(topic).value_or(0);
  run_places_.clear();
  runs_.clear();
  for (const Message& message : messages) {
    if (message.offset < from) continue;
    if (Run* run = run_of(topic, message, send)) run->messages.push_back(message);
  }
  Group group{.number = ++taken_, .sessions = {}, .next = {}};
  for (const Run& run : runs_) {
    MessageSession& taker = session(run, came, send);
    taker.take(topic, run.messages, came, with_field(run, send));
    group.sessions.emplace_back(run.key, taker.answers());
  }
  if (!messages.empty()) next_[topic] = std::max(from, messages.back().offset + 1);
  group.next = next_;
  groups_.push_back(std::move(group));
  if (std::chrono::steady_clock::now() - wrote_ > between_positions) write_position();
}

MessageTaker::Send MessagesByKey::with_field(const Run& run, const Send& send) {
  return [this, &run, &send](const MessageAnswer& answer) {
    text_.clear();
    append_with_field(answer.text, options_.field, run.token, text_);
    MessageAnswer complete = answer;
    complete.text = text_;
    complete.key = std::string_view(run.key).substr(run.key.starts_with('"') ? 1 : 0);
    send(complete);
  };
}

MessageSession& MessagesByKey::session(const Run& run, std::int64_t came, const Send& send) {
  if (Session* found = sessions_.find(run.key)) return **found;
  make_room();
  make_folder_of(run.ledger);
  auto opened = std::make_unique<MessageSession>(
      partition_, MessageKeys::of_models,
      [&](const LedgerObserver& observer) { return open_(run.ledger, observer); }, options_.sync, came);
  opened->answer_again(with_field(run, send));
  return *sessions_.add(run.key, std::move(opened));
}

/// Closes a session whose answers have arrived, since another one would give its answers again. If there is
/// none, twice as many sessions may be open.
void MessagesByKey::make_room() {
  if (sessions_.size() < options_.most_open) return;
  const auto close = [](const Session& session) {
    if (session->finish()) return true;
    throw FileError("the ledger cannot be written, so its session cannot be closed");
  };
  const bool closed = sessions_.remove_oldest(
      [&](const Session& session) { return session->has_arrived() && close(session); });
  if (!closed && sessions_.size() >= 2 * options_.most_open) sessions_.remove_oldest(close);
}

void MessagesByKey::arrived(std::uint64_t answers) {
  for (; !groups_.empty() && groups_.front().number <= answers; groups_.pop_front()) {
    for (const auto& [key, count] : groups_.front().sessions) {
      if (Session* session = sessions_.look(key)) (*session)->arrived(count);
    }
    arrived_ = groups_.front().next;
  }
}

bool MessagesByKey::finish() {
  bool all = true;
  for (auto& entry : sessions_) all = entry.thing->finish() && all;
  write_position();
  return all;
}

}  // namespace askfew

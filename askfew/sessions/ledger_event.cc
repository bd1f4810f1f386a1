#include "askfew/sessions/ledger_event.h"

#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr const char* clock_set_back = "clock set back";
constexpr const char* line_set_aside = "line set aside";
constexpr const char* answer_held = "answer held";
constexpr const char* answer_taken_back = "answer taken back";
constexpr const char* instance_kept = "instance kept";
constexpr const char* messages_taken = "messages taken";
constexpr const char* message_refused = "message refused";

/// Offsets as runs: [[first, last], ...].
json runs_of(const std::vector<std::int64_t>& offsets) {
  json runs = json::array();
  for (const std::int64_t offset : offsets) {
    if (!runs.empty() && runs.back()[1].get<std::int64_t>() + 1 == offset) {
      runs.back()[1] = offset;
    } else {
      runs.push_back({offset, offset});
    }
  }
  return runs;
}

std::vector<std::int64_t> offsets_of(const json& runs) {
  std::vector<std::int64_t> offsets;
  for (const json& run : runs) {
    const auto last = run.at(1).get<std::int64_t>();
    for (auto offset = run.at(0).get<std::int64_t>(); offset <= last; ++offset) offsets.push_back(offset);
  }
  return offsets;
}

json json_of(const MessagesTaken& taken) {
  return {{"event", messages_taken},           {"topic", taken.topic},
          {"partition", taken.partition},      {"partitions", taken.partitions},
          {"offsets", runs_of(taken.offsets)}, {"next", taken.next},
          {"answered", taken.answered}};
}

MessagesTaken messages_taken_of(const json& event) {
  return {.topic = event.at("topic"),
          .partition = event.at("partition"),
          .partitions = event.at("partitions"),
          .offsets = offsets_of(event.at("offsets")),
          .next = event.at("next"),
          .answered = event.at("answered")};
}

}  // namespace

std::string event_payload(const LedgerEvent& event) {
  json payload;
  if (const auto* clock = std::get_if<ClockSetBack>(&event)) {
    payload = {{"event", clock_set_back}, {"machine", clock->machine}, {"session", clock->session}};
  } else if (const auto* aside = std::get_if<LineSetAside>(&event)) {
    payload = {{"event", line_set_aside}, {"line", aside->line}, {"why", aside->why}};
  } else if (const auto* held = std::get_if<AnswerHeld>(&event)) {
    payload = {{"event", answer_held}, {"came", held->came}, {"line", held->line}};
  } else if (const auto* kept = std::get_if<InstanceKept>(&event)) {
    payload = {{"event", instance_kept}, {"line", kept->line}};
  } else if (const auto* taken = std::get_if<MessagesTaken>(&event)) {
    payload = json_of(*taken);
  } else if (const auto* refused = std::get_if<MessageRefused>(&event)) {
    payload = {{"event", message_refused},
               {"topic", refused->topic},
               {"offset", refused->offset},
               {"answer", refused->answer}};
    if (refused->key) payload["key"] = *refused->key;
  } else {
    const auto& back = std::get<AnswerTakenBack>(event);
    payload = {{"event", answer_taken_back}, {"by", back.person}, {"key", back.key}};
  }
  return utf8_json_text(payload);
}

LedgerEvent event_of(std::string_view payload) {
  try {
    const json event = parse_json(payload);
    const auto name = event.at("event").get<std::string>();
    if (name == clock_set_back)
      return ClockSetBack{.machine = event.at("machine"), .session = event.at("session")};
    if (name == line_set_aside) return LineSetAside{.line = event.at("line"), .why = event.at("why")};
    if (name == answer_held) return AnswerHeld{.came = event.at("came"), .line = event.at("line")};
    if (name == answer_taken_back)
      return AnswerTakenBack{.person = event.value("by", ""), .key = event.at("key")};
    if (name == instance_kept) return InstanceKept{.line = event.at("line")};
    if (name == messages_taken) return messages_taken_of(event);
    if (name == message_refused) {
      MessageRefused refused{
          .topic = event.at("topic"), .offset = event.at("offset"), .answer = event.at("answer")};
      if (event.contains("key")) refused.key = event.at("key").get<std::string>();
      return refused;
    }
    throw ModelError("the event " + in_quotes(name) +
                     " is not known: written by a newer version of askfew, which can read it");
  } catch (const json::exception& error) {
    throw ModelError(std::string("an event that is no event: ") + error.what());
  }
}

}  // namespace askfew

#include "askfew/sessions/session_ledger.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "askfew/catalog/catalog.h"
#include "askfew/json/json_text.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/ledger_payloads.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/settings_words.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr int first_format_with_checkpoints = 3;

/// All settings that determine a session, as JSON.
json settings_of(const Model& model, const LabelQueue::Options& labels) {
  json settings = parse_json(snapshot_of(model).metadata.at("askfew.config"));
  settings.update(json_of(labels));
  return settings;
}

/// How a version does its work, which nobody chooses. Ledgers of older versions go on as they were begun:
/// they count unsure as skipped, accept every label as negative, cut margins, plan and forecast in their own
/// way.
constexpr std::array<std::string_view, 2> ways{"unsure", "cut"};
constexpr std::array<std::string_view, 3> ways_within{"closes", "plan", "forecasts"};

json without_ways(json setting) {
  if (!setting.is_object()) return setting;
  for (const std::string_view way : ways_within) setting.erase(std::string(way));
  return setting;
}

bool continues(const std::string& name, const json& recorded, const json& wanted) {
  if (without_ways(recorded) == without_ways(wanted)) return true;
  return name == "learner" && recorded.is_string() && is_default_learner(wanted.get<std::string>()) &&
         was_default_learner(recorded.get<std::string>());
}

json without(std::span<const std::string> names, json settings) {
  for (const std::string& name : names) {
    settings.erase(name);
    if (settings.contains("spending")) settings["spending"].erase(name);
  }
  return settings;
}

/// Compares all settings but the ways.
void expect_same(const json& recorded, const json& wanted, const std::string& path) {
  const auto is_way = [](const std::string& name) {
    return std::find(ways.begin(), ways.end(), name) != ways.end();
  };
  const auto refuse = [&](const std::string& name, const json& there, const json& here) {
    throw ConfigError(fmt::format(
        "{}: the ledger was begun with {}: leave the options out to continue it, or name another ledger",
        path, difference_of(name, there, here)));
  };
  for (const auto& [name, value] : wanted.items()) {
    const json there = recorded.value(name, json());
    if (!is_way(name) && !continues(name, there, value)) refuse(name, there, value);
  }
  for (const auto& [name, value] : recorded.items()) {
    if (!is_way(name) && !wanted.contains(name)) refuse(name, value, json());
  }
}

SessionStart start_of(const LedgerReader::Record& first, const std::string& path, const SharedLimit& memory) {
  const MemoryLimit::Lifted lifted(memory.get());
  try {
    return session_start_of(first.payload, {.exactness = Exactness::exact, .memory = memory});
  } catch (const ModelError& error) {
    throw ModelError(path + ": " + error.what());
  }
}

/// Older formats promise no bits. Older sessions of classes learn a label from the last instance, which no
/// state has.
bool has_checkpoints(const LabelQueue::Options& options, int format) {
  return format >= first_format_with_checkpoints && !options.mixes_late;
}

void keep_checkpoints(SessionLedger& live, const LedgerObserver& observer, const LedgerPast& past) {
  const bool keeps_nothing = !observer.line && !observer.event;
  if (keeps_nothing || observer.beside.save)
    live.checkpoints =
        std::make_unique<LedgerCheckpoints>(*live.session, *live.ledger, observer.beside, past);
}

/// Continues a ledger that has a first record; nothing if it has none, apart from torn bytes.
std::optional<SessionLedger> reopen(std::unique_ptr<LedgerStore>& store, const SessionSettings& settings,
                                    SettingsMismatch mismatch, const SharedLimit& memory,
                                    const LedgerObserver& observer, std::uint64_t& torn) {
  const std::string path = store->name();
  LedgerReader reader(*store);
  const auto first = reader.next();
  if (!first) {
    torn = reader.torn_bytes();
    return std::nullopt;
  }
  SessionStart start = start_of(*first, path, memory);
  if (mismatch == SettingsMismatch::is_an_error) {
    const Model wanted = make_model(settings.config, {.exactness = Exactness::exact});
    expect_same(without(settings.guesses, settings_of(start.model, start.options)),
                without(settings.guesses, settings_of(wanted, settings.labels)), path);
  }
  SessionLedger live;
  live.session = std::make_unique<Session>(std::move(start.model), start.options, memory);
  const ReplayEnd end = replay_from_last_checkpoint(reader, *store, *live.session, observer);
  live.replayed = end.lines;
  live.restored = end.begun_with ? end.begun_with->lines : 0;
  live.torn = reader.torn_bytes();
  live.clock_shift = end.clock_shift;
  live.ledger = std::make_unique<LedgerWriter>(std::move(store), reader.whole_bytes(), reader.link());
  for (const std::string& outcome : end.unrecorded) live.ledger->add(ledger::Type::outcome, outcome);
  static_cast<void>(live.ledger->flush());  // after a failure, tried again before the next lines
  if (has_checkpoints(start.options, reader.format())) keep_checkpoints(live, observer, end);
  return live;
}

}  // namespace

std::int64_t SessionLedger::set_clock(std::int64_t machine) {
  const std::int64_t behind = session->time() - (machine + clock_shift);
  if (behind <= 0) return 0;
  clock_shift += behind;
  if (ledger != nullptr)
    ledger->add(ledger::Type::event,
                event_payload(ClockSetBack{.machine = machine, .session = session->time()}));
  return behind;
}

SessionLedger open_session_ledger(const LedgerPlace& place, const SessionSettings& settings,
                                  SettingsMismatch mismatch, const SharedLimit& memory,
                                  const LedgerObserver& observer) {
  std::unique_ptr<LedgerStore> store = place.find_for_writing();
  SessionLedger live;
  if (store != nullptr && store->status().is_regular) {
    if (auto reopened = reopen(store, settings, mismatch, memory, observer, live.torn))
      return std::move(*reopened);
  }
  // Refused settings leave no ledger behind.
  Model model = make_model(settings.config, {.exactness = Exactness::exact, .memory = memory});
  if (settings.seeds != nullptr) begin_with(*settings.seeds, model);
  const std::string start = start_payload(model, settings.labels);
  live.session = std::make_unique<Session>(std::move(model), settings.labels, memory);
  if (store == nullptr) {
    store = place.for_writing();
    if (store->status().size > 0) throw FileError(place.name() + ": another process has begun this ledger");
  }
  const bool can_be_read = store->status().is_regular;
  live.ledger = std::make_unique<LedgerWriter>(std::move(store), start);
  static_cast<void>(live.ledger->flush() && live.ledger->commit(false));
  if (can_be_read) keep_checkpoints(live, observer, {});
  return live;
}

std::unique_ptr<Session> session_of(LedgerReader& reader, const std::string& path,
                                    const SharedLimit& memory) {
  const auto first = reader.next();
  if (!first) throw DataError({.why = "an empty ledger", .file = path});
  SessionStart start = start_of(*first, path, memory);
  return std::make_unique<Session>(std::move(start.model), start.options, memory);
}

}  // namespace askfew

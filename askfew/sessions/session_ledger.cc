#include "askfew/sessions/session_ledger.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/sessions/ledger_payloads.h"
#include "askfew/sessions/replay.h"

namespace askfew {
namespace {

using nlohmann::json;

/// All that decides what a session does, as JSON.
json settings_of(const Model& model, const LabelQueue::Options& labels) {
  json settings = json::parse(snapshot_of(model).metadata.at("askfew.config"));
  settings.update(json_of(labels));
  return settings;
}

void expect_same(const json& recorded, const json& wanted, const std::string& path) {
  if (recorded == wanted) return;
  for (const auto& [name, value] : wanted.items()) {
    const json there = recorded.value(name, json());
    if (there == value) continue;
    throw ConfigError(fmt::format("{}: the ledger was begun with {} {}, not {}: it goes on only as it began",
                                  path, name, there.dump(), value.dump()));
  }
  throw ConfigError(path + ": the ledger was begun with other settings: it goes on only as it began");
}

SessionStart start_of(const LedgerReader::Record& first, const std::string& path, const SharedLimit& memory) {
  try {
    return session_start_of(first.payload, {.exactness = Exactness::exact, .memory = memory});
  } catch (const ModelError& error) {
    throw ModelError(path + ": " + error.what());
  }
}

}  // namespace

SessionLedger open_session_ledger(const std::string& path, const SessionSettings& settings,
                                  SettingsMismatch mismatch, const SharedLimit& memory) {
  LedgerFile file = LedgerFile::for_writing(path);
  SessionLedger live;
  const auto fresh = [&] {
    return make_model(settings.config, {.exactness = Exactness::exact, .memory = memory});
  };
  if (file.is_regular()) {
    LedgerReader reader(file);
    if (const auto first = reader.next()) {
      SessionStart start = start_of(*first, path, memory);
      if (mismatch == SettingsMismatch::is_an_error)
        expect_same(settings_of(start.model, start.options), settings_of(fresh(), settings.labels), path);
      live.session = std::make_unique<Session>(std::move(start.model), start.options, memory);
      const ReplayEnd end = replay(reader, path, *live.session);
      live.replayed = end.lines;
      live.torn = reader.torn_bytes();
      const std::uint64_t bytes = reader.whole_bytes();
      live.ledger = std::make_unique<LedgerWriter>(std::move(file), bytes, reader.link());
      for (const std::string& outcome : end.unrecorded) live.ledger->add(ledger::Type::outcome, outcome);
      static_cast<void>(live.ledger->flush());  // else before the next lines
      return live;
    }
    live.torn = reader.torn_bytes();
  }
  Model model = fresh();
  const std::string start = start_payload(model, settings.labels);
  live.session = std::make_unique<Session>(std::move(model), settings.labels, memory);
  live.ledger = std::make_unique<LedgerWriter>(std::move(file), start);
  static_cast<void>(live.ledger->flush());
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

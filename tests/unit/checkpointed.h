#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_file.h"
#include "askfew/sessions/session_ledger.h"

#include "tests/unit/live.h"
#include "tests/unit/memory_file.h"

/// Ledgers with checkpoints, for the tests of checkpoints.
namespace askfew::checkpointed {

using nlohmann::json;

inline SessionSettings settings() {
  SessionSettings wanted{.config = {.sampler = parse_preset("sel-p"), .seed = 1},
                         .labels = {.keep = 5, .max_rounds = 10}};
  wanted.config.sampler.spending.audit = 0.1;
  return wanted;
}

inline SessionLedger open(const MemoryFile& file, const LedgerObserver& observer = {}) {
  return open_session_ledger(file.path(), settings(), SettingsMismatch::is_an_error, nullptr, observer);
}

inline std::string instance(int k) {
  return json{{"id", k}, {"x", {(k * 7919 % 101 - 50) / 50.0, (k * 104729 % 103 - 51) / 51.0}}}.dump();
}
inline std::string label(int k) {
  return json{{"id", k}, {"label", k * 7919 % 101 > 50 ? 1 : -1}}.dump();
}

/// Takes instances with these numbers; the label of each comes three instances later.
inline void take(Recorder& recorder, int first, int past) {
  for (int k = first; k < past; ++k) answers_to(recorder, {instance(k), label(k - 3)}, 1000 * k);
}
inline void take(SessionLedger& live, int first, int past) {
  Recorder recorder(live, false);
  take(recorder, first, past);
}

/// A ledger of so many instances, with a checkpoint after every `step` of them.
inline void write(const MemoryFile& file, int instances, int step) {
  SessionLedger live = open(file);
  for (int k = 0; k < instances; k += step) {
    take(live, k, k + step);
    ASSERT_TRUE(live.checkpoints->write(0));
  }
}

/// The session after a replay of all lines.
struct WholeReplay {
  std::unique_ptr<Session> session;
  ReplayEnd end;
};
inline WholeReplay replayed(const MemoryFile& file) {
  const auto store = LedgerFile::for_reading(file.path());
  LedgerReader reader(*store);
  WholeReplay all{.session = session_of(reader, file.path(), nullptr), .end = {}};
  all.end = replay(reader, file.path(), *all.session);
  return all;
}

inline std::vector<std::uint64_t> places_of_checkpoints(const MemoryFile& file) {
  const auto store = LedgerFile::for_reading(file.path());
  LedgerReader reader(*store);
  std::vector<std::uint64_t> places;
  while (const auto record = reader.next()) {
    if (record->type == ledger::Type::checkpoint) places.push_back(record->offset);
  }
  return places;
}

inline std::uint64_t end_of_first(const MemoryFile& file) {
  const auto store = LedgerFile::for_reading(file.path());
  LedgerReader reader(*store);
  static_cast<void>(reader.next());
  return reader.next_place();
}

inline std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace askfew::checkpointed

// Bytes as a ledger. A changed ledger is refused, a truncated ledger is torn. A made-up ledger with the right
// checksums is replayed or refused with a reason.

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "askfew/ledger/ledger_file.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/replay.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/system/memory_limit.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {
namespace {

using ledger::Prefix;

struct WhatWasRead {
  std::uint64_t whole = 0;
  std::uint64_t torn = 0;
  std::string failure;
};

/// A restart gets as far as a replay of all lines.
void restart(const LedgerStore& store, const SharedLimit& limit) {
  LedgerReader reader(store);
  const auto session = session_of(reader, store.name(), limit);
  replay_from_last_checkpoint(reader, store, *session, {});
}

/// Reads and replays.
WhatWasRead read(std::string_view bytes) {
  const MemoryFile memory(bytes);
  const auto file = LedgerFile::for_reading(memory.path());
  LedgerReader reader(*file);
  WhatWasRead result;
  try {
    const auto limit = std::make_shared<MemoryLimit>(std::size_t{1} << 24);
    const auto session = session_of(reader, memory.path(), limit);
    const ReplayEnd end = replay(reader, memory.path(), *session);
    FUZZ_CHECK(session->model().tally(0).round <= end.lines);
    restart(*file, limit);
  } catch (const DataError& error) {
    result.failure = error.what();
  } catch (const ModelError& error) {
    result.failure = error.what();
  } catch (const ConfigError& error) {
    result.failure = error.what();
  } catch (const MemoryError& error) {
    result.failure = error.what();
  }
  result.whole = reader.whole_bytes();
  result.torn = reader.torn_bytes();
  FUZZ_CHECK(result.whole + result.torn <= bytes.size());
  return result;
}

/// Gives every part of the bytes that looks like a record its right checksums.
std::string sealed(std::string bytes) {
  bytes.replace(0, std::min(bytes.size(), ledger::magic.size()), ledger::magic);
  ledger::Link link = ledger::first_link(ledger::magic);
  for (std::size_t at = ledger::magic.size(); at + sizeof(Prefix) + sizeof link <= bytes.size();) {
    Prefix prefix;
    std::memcpy(&prefix, bytes.data() + at, sizeof prefix);
    const std::size_t room = bytes.size() - at - sizeof prefix - sizeof link;
    prefix.size = static_cast<std::uint32_t>(std::min<std::size_t>(prefix.size, room));
    prefix.type = at == ledger::magic.size() ? 1 : 2 + prefix.type % 4;
    prefix.check = ledger::check_of(prefix, link);
    link = ledger::hash_of(prefix, std::string_view(bytes).substr(at + sizeof prefix, prefix.size));
    std::memcpy(bytes.data() + at, &prefix, sizeof prefix);
    std::memcpy(bytes.data() + at + sizeof prefix + prefix.size, &link, sizeof link);
    at += sizeof prefix + prefix.size + sizeof link;
  }
  return bytes;
}

std::string ledger_of(const std::string& sampler, const std::vector<std::string>& lines,
                      bool has_checkpoints = false) {
  const MemoryFile memory("");
  SessionLedger live = open_session_ledger(
      memory.path(), {.config = {.sampler = parse_preset(sampler), .seed = 1}, .labels = {}},
      SettingsMismatch::is_an_error, nullptr);
  Recorder recorder(live, false);
  std::string answers;
  for (const std::string& text : lines) {
    const std::string padded = text + std::string(IncomingReader::padding, ' ');
    const std::string_view line = std::string_view(padded).substr(0, text.size());
    recorder.answer({&line, 1}, 1, answers);
    if (has_checkpoints) FUZZ_CHECK(live.checkpoints->write(0));
  }
  std::ostringstream bytes;
  bytes << std::ifstream(memory.path(), std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace

std::vector<std::string> seeds() {
  return {ledger_of("sel-p", {R"({"id": 1, "text": "a b"})", R"({"id": 1, "label": 1})",
                              R"({"id": 2, "text": "b c"})", R"({"id": 2, "label": null})"}),
          ledger_of("pa-log", {R"({"id": "a", "x": [1, 2]})", R"({"id": "a", "label": -1})",
                               R"({"id": "b", "x": [2, 1]})", R"({"id": "a", "label": 1})"}),
          ledger_of("perc", {}),
          ledger_of("sel-p", {R"({"id": 1, "x": [1, 2]})", R"({"id": 1, "label": 1})"}, true)};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  static const std::vector<std::string> whole = seeds();
  const std::string_view bytes = text_of(data, size);
  const WhatWasRead as_it_is = read(bytes);
  // Bytes that are accepted as whole records were written as such.
  if (as_it_is.failure.empty()) {
    FUZZ_CHECK(std::any_of(whole.begin(), whole.end(), [&](const std::string& seed) {
      return seed.starts_with(bytes.substr(0, as_it_is.whole));
    }));
  }
  read(sealed(std::string(bytes)));
  return 0;
}

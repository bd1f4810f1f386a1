// A session and its ledger: whatever byte the file ends at, what is whole in it rebuilds the model.

#include "askfew/sessions/session_ledger.h"

#include <gtest/gtest.h>

#include "askfew/models/model_file.h"
#include "askfew/sessions/recorder.h"
#include "askfew/sessions/replay.h"

#include "tests/unit/memory_file.h"

namespace askfew {
namespace {

const std::vector<std::string> lines{R"({"id": 1, "text": "white rook"})",
                                     R"({"id": 2, "text": "black stone on the board"})",
                                     R"({"id": 2, "label": 1})",
                                     R"({"id": 3, "text": "white rook, black rook"})",
                                     R"({"id": 1, "label": -1})",
                                     R"({"id": 9, "label": 1})",
                                     R"({"id": 3, "text": "again, as 3"})",
                                     R"({"id": 3, "label": null})",
                                     R"({"id": 2, "label": -1})",
                                     R"({"id": 4, "text": "the last stone"})"};

SessionSettings settings() {
  SessionSettings wanted{.config = {.sampler = parse_preset("sel-p"), .seed = 1}, .labels = {}};
  wanted.config.features.text.dictionary = true;
  wanted.config.features.tf_idf = true;
  return wanted;
}

SessionLedger open(const MemoryFile& file, SettingsMismatch begun = SettingsMismatch::is_an_error) {
  return open_session_ledger(file.path(), settings(), begun, nullptr);
}

std::string model_of(const SessionLedger& live) {
  return encode_model(snapshot_of(live.session->model()));
}

/// Takes lines from this one on, one at a time, at times that depend on the line.
void take(SessionLedger& live, std::size_t first, std::size_t past = lines.size()) {
  Recorder recorder(*live.session, live.ledger.get(), false);
  std::string answers;
  for (std::size_t k = first; k < past; ++k) {
    const std::string padded = lines[k] + std::string(IncomingReader::padding, ' ');
    const std::string_view line = std::string_view(padded).substr(0, lines[k].size());
    recorder.answer({&line, 1}, static_cast<std::int64_t>(1'000'000 * k), answers);
  }
}

TEST(SessionLedger, rebuilds_the_model_from_what_is_whole_and_goes_on_to_the_same_bytes) {
  std::vector<std::string> models;  // after so many lines
  MemoryFile file;
  {
    SessionLedger live = open(file);
    models.push_back(model_of(live));
    for (std::size_t k = 0; k < lines.size(); ++k) {
      take(live, k, k + 1);
      models.push_back(model_of(live));
    }
  }
  const std::string whole = file.bytes();
  std::size_t most = 0;
  // Some bytes of every record: all of them are tried where records alone are (ledger_test.cc).
  constexpr std::size_t step = 11;
  for (std::size_t size = whole.size() % step; size <= whole.size(); size += step) {
    const MemoryFile torn;
    torn.write(whole.substr(0, size));
    SessionLedger live = open(torn, SettingsMismatch::is_ignored);
    ASSERT_GE(live.replayed, most);
    most = live.replayed;
    ASSERT_EQ(model_of(live), models[most]) << size;
    take(live, most);
    ASSERT_EQ(torn.bytes(), whole) << size;
  }
  EXPECT_EQ(most, lines.size());
}

TEST(SessionLedger, goes_on_only_with_the_settings_that_it_began_with) {
  const MemoryFile file;
  open(file);
  SessionSettings others = settings();
  others.labels.keep = 5;
  EXPECT_THROW(open_session_ledger(file.path(), others, SettingsMismatch::is_an_error, nullptr), ConfigError);
  others.config.seed = 2;
  const SessionLedger live = open_session_ledger(file.path(), others, SettingsMismatch::is_ignored, nullptr);
  EXPECT_EQ(live.session->model().config.seed, 1);
}

TEST(SessionLedger, a_replay_that_decides_otherwise_is_refused) {
  const MemoryFile file;
  {
    SessionLedger live = open(file);
    live.ledger->add(ledger::Type::line, std::string(8, '\0') + lines[0]);
    live.ledger->add(ledger::Type::outcome, "something else");
    ASSERT_TRUE(live.ledger->flush());
  }
  try {
    open(file);
    FAIL() << "taken";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("line 1, round 1: replaying gives another outcome"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace askfew

// A session and its ledger: wherever the file ends, its whole records rebuild the model.

#include "askfew/sessions/session_ledger.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "askfew/ledger/ledger_file.h"
#include "askfew/sessions/ledger_check.h"
#include "askfew/sessions/ledger_event.h"
#include "askfew/sessions/ledger_payloads.h"
#include "askfew/sessions/replay.h"
#include "askfew/system/memory_limit.h"

#include "tests/unit/live.h"
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

/// Takes the lines from this one on, one at a time, at times that depend on the line.
void take(SessionLedger& live, std::size_t first, std::size_t past = lines.size()) {
  Recorder recorder(*live.session, live.ledger.get(), false);
  std::string answers;
  for (std::size_t k = first; k < past; ++k) {
    const std::string padded = lines[k] + std::string(IncomingReader::padding, ' ');
    const std::string_view line = std::string_view(padded).substr(0, lines[k].size());
    recorder.answer({&line, 1}, static_cast<std::int64_t>(1'000'000 * k), answers);
  }
}

TEST(SessionLedger, rebuilds_the_model_from_whole_records_and_continues_to_the_same_bytes) {
  std::vector<std::string> models;  // the model after each number of lines
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
  // Cuts at some bytes of every record; ledger_test.cc cuts at all bytes.
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

TEST(SessionLedger, continues_only_with_the_settings_that_it_began_with) {
  const MemoryFile file;
  open(file);
  SessionSettings others = settings();
  others.labels.keep = 5;
  EXPECT_THROW(open_session_ledger(file.path(), others, SettingsMismatch::is_an_error, nullptr), ConfigError);
  others.config.seed = 2;
  const SessionLedger live = open_session_ledger(file.path(), others, SettingsMismatch::is_ignored, nullptr);
  EXPECT_EQ(live.session->model().config.seed, 1);
}

TEST(SessionLedger, refused_settings_leave_no_file) {
  const std::string path = testing::TempDir() + "askfew_no_ledger_" + std::to_string(getpid());
  std::filesystem::remove(path);
  SessionSettings wanted = settings();
  wanted.config.labels = {LabelPlan::Kind::one_of, {"a"}};
  EXPECT_THROW(open_session_ledger(path, wanted, SettingsMismatch::is_an_error, nullptr), ConfigError);
  wanted = settings();
  wanted.config.sampler.learner = parse_learner("ellipsoid");
  wanted.config.dimension = 20;
  EXPECT_THROW(
      open_session_ledger(path, wanted, SettingsMismatch::is_an_error, std::make_shared<MemoryLimit>(100)),
      MemoryError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

std::string outcome_bytes(const Outcome& outcome) {
  std::string bytes;
  append_outcome(outcome, bytes);
  return bytes;
}

/// A ledger of these lines with these outcomes, even if they are wrong.
std::string failure_of(const std::vector<std::string>& taken, const std::vector<std::string>& outcomes) {
  const MemoryFile file;
  {
    SessionLedger live = open(file);
    for (const std::string& line : taken) live.ledger->add(ledger::Type::line, std::string(8, '\0') + line);
    for (const std::string& outcome : outcomes) live.ledger->add(ledger::Type::outcome, outcome);
    if (!live.ledger->flush()) return "not written";
  }
  try {
    open(file);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

const Decision first_decision{
    .round = 1, .probability = 1, .coin = 0.30356803430675861, .prediction = 0, .asked = true};

TEST(SessionLedger, a_replay_with_another_decision_is_refused) {
  EXPECT_EQ(failure_of({lines[0]}, {outcome_bytes(first_decision)}), "");
  Decision other = first_decision;
  other.margin = 1e-300;
  const std::string why = failure_of({lines[0]}, {outcome_bytes(other)});
  EXPECT_NE(why.find("line 1, round 1: replaying gives another outcome"), std::string::npos) << why;
  const std::string newer = failure_of({lines[0]}, {"\x77 something else"});
  EXPECT_NE(newer.find("line 1, round 0: an outcome of a kind that a newer version of askfew wrote"),
            std::string::npos)
      << newer;
}

TEST(SessionLedger, refusals_are_compared_by_their_code_and_not_by_their_text) {
  const std::string again = R"({"id": 1, "text": "another text"})";
  const auto failure = [&](const std::string& refusal) {
    return failure_of({lines[0], again}, {outcome_bytes(first_decision), refusal});
  };
  EXPECT_EQ(failure(outcome_bytes(Refusal{RefusalCode::id_waits, "as it was said in other days"})), "");
  EXPECT_EQ(failure("\x03"
                    "as a ledger of format 1 has it"),
            "");
  EXPECT_NE(failure(outcome_bytes(Refusal{RefusalCode::norm, "the id waits for its label already"})), "");
  EXPECT_NE(failure(outcome_bytes(first_decision)), "");
}

/// In format 1 numbers came from exp and log of the machine's C library; in format 2 some sums had another
/// order.
TEST(SessionLedger, only_a_ledger_of_an_older_format_may_differ_by_rounding) {
  Decision rounded = first_decision;
  rounded.margin = 1e-12;
  Decision other = first_decision;
  other.asked = false;
  const auto taken = [&](const std::string& magic, const Decision& decision) {
    const MemoryFile file;
    { open(file); }
    const auto begun = LedgerFile::for_reading(file.path());
    LedgerReader reader(*begun);
    const std::string start(reader.next()->payload);
    std::string bytes = magic;
    ledger::Link link = ledger::append_record(ledger::Type::start, start, ledger::first_link(magic), bytes);
    link = ledger::append_record(ledger::Type::line, std::string(8, '\0') + lines[0], link, bytes);
    ledger::append_record(ledger::Type::outcome, outcome_bytes(decision), link, bytes);
    const MemoryFile written;
    written.write(bytes);
    try {
      return open(written).replayed == 1;
    } catch (const DataError&) {
      return false;
    }
  };
  EXPECT_TRUE(taken("askfew ledger 1\n", rounded));
  EXPECT_TRUE(taken("askfew ledger 2\n", rounded));
  EXPECT_FALSE(taken("askfew ledger 3\n", rounded));
  EXPECT_FALSE(taken("askfew ledger 1\n", other));
  EXPECT_FALSE(taken("askfew ledger 2\n", other));
  EXPECT_TRUE(taken("askfew ledger 3\n", first_decision));
}

/// Takes instances and labels with a memory limit until some of both are refused.
TEST(SessionLedger, refusals_for_lack_of_memory_replay_with_any_limit) {
  SessionSettings wanted = settings();
  wanted.config.sampler.learner = parse_learner("kernel-perceptron");
  const auto with_limit = [&](const MemoryFile& file, std::size_t bytes) {
    return open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error,
                               bytes == 0 ? nullptr : std::make_shared<MemoryLimit>(bytes));
  };
  MemoryFile file;
  std::string model;
  std::uint64_t refused = 0;
  {
    SessionLedger live = with_limit(file, 60'000);
    Recorder recorder(*live.session, live.ledger.get(), false);
    std::string text;
    for (int k = 0; k < 100; ++k) {
      text = "word" + std::to_string(k) + " of " + std::to_string(k * k);
      const auto answers = answers_to(recorder,
                                      {nlohmann::json{{"id", k}, {"text", text}}.dump(),
                                       nlohmann::json{{"id", k}, {"label", k % 2 == 0 ? 1 : -1}}.dump()},
                                      k);
      for (const auto& answer : answers) refused += answer.contains("error") ? 1 : 0;
    }
    model = model_of(live);
    EXPECT_GT(refused, 20);
    EXPECT_GT(live.session->model().tally(0).updates, 5);
  }
  for (const std::size_t limit :
       {std::size_t{0}, std::size_t{1}, std::size_t{20'000}, std::size_t{1} << 30}) {
    const SessionLedger live = with_limit(file, limit);
    EXPECT_EQ(model_of(live), model) << limit;
  }
  // The session continues: with a larger limit it takes the refused lines.
  SessionLedger live = with_limit(file, 1 << 30);
  Recorder recorder(*live.session, live.ledger.get(), false);
  const auto answers = answers_to(recorder, {R"({"id": "new", "text": "word1 and a new one"})"}, 100);
  EXPECT_TRUE(answers[0].contains("ask")) << answers[0];
}

TEST(SessionLedger, the_current_limit_applies_to_a_line_without_an_outcome) {
  const MemoryFile file;
  {
    SessionLedger live = open(file);
    live.ledger->add(ledger::Type::line, std::string(8, '\0') + lines[0]);
    ASSERT_TRUE(live.ledger->flush());
  }
  {
    const SessionLedger live = open_session_ledger(file.path(), settings(), SettingsMismatch::is_an_error,
                                                   std::make_shared<MemoryLimit>(10));
    EXPECT_EQ(live.session->counts().refused, 1);
  }
  EXPECT_EQ(open(file).session->counts().refused, 1) << "as it was recorded";
}

TEST(SessionLedger, repeated_instances_replay_and_do_not_count_as_rounds) {
  const MemoryFile file;
  std::string model;
  {
    SessionLedger live = open(file);
    Recorder recorder(*live.session, live.ledger.get(), false);
    answers_to(recorder, {lines[0], lines[0], lines[1], lines[2], lines[1]}, 5);
    EXPECT_EQ(live.session->counts().repeats, 2);
    model = model_of(live);
  }
  SessionLedger live = open(file);
  EXPECT_EQ(model_of(live), model);
  EXPECT_EQ(live.session->counts().repeats, 2);
  Recorder recorder(*live.session, live.ledger.get(), false);
  EXPECT_EQ(answers_to(recorder, {lines[0]}, 6)[0]["repeated"], true);
}

TEST(SessionLedger, after_a_clock_was_ahead_times_are_right_once_the_clock_is_right_again) {
  constexpr std::int64_t day = 86'400'000'000;
  constexpr std::int64_t now = 20'000 * day;
  const MemoryFile file;
  SessionSettings wanted = settings();
  wanted.labels.max_age = 7 * day;
  const auto reopen = [&](std::int64_t machine) {
    SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, nullptr);
    live.set_clock(machine);
    return live;
  };
  const auto say = [&](SessionLedger& live, const std::string& line, std::int64_t machine) {
    Recorder recorder(*live.session, live.ledger.get(), false, live.clock_shift);
    return answers_to(recorder, {line}, machine)[0];
  };
  {  // ten years ahead
    SessionLedger live = reopen(now + 3650 * day);
    say(live, R"({"id": 1, "text": "a rook"})", now + 3650 * day);
  }
  {  // right again, an hour later
    SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, nullptr);
    EXPECT_EQ(live.set_clock(now), 3650 * day);
    say(live, R"({"id": 2, "text": "a king"})", now + day / 24);
  }
  {  // a day during which the process did not run counts
    SessionLedger live = reopen(now + day);
    EXPECT_EQ(live.clock_shift, 3650 * day);
    EXPECT_EQ(say(live, R"({"id": 2, "label": 1})", now + day)["latency"], 86400 - 3600);
  }
  {
    SessionLedger live = reopen(now + 8 * day);
    EXPECT_EQ(say(live, R"({"id": 1, "label": 1})", now + 8 * day)["outcome"], "expired");
  }
  std::vector<std::int64_t> came;
  const auto ledger = LedgerFile::for_reading(file.path());
  LedgerReader reader(*ledger);
  const auto session = session_of(reader, file.path(), nullptr);
  replay(reader, file.path(), *session,
         {.line = [&](const Session&, const Replayed& line) { came.push_back(line.came); }});
  EXPECT_EQ(came, (std::vector<std::int64_t>{now + 3650 * day, now + day / 24, now + day, now + 8 * day}));
}

TEST(LedgerEvent, an_unknown_event_is_refused_as_newer) {
  const LedgerEvent event = event_of(event_payload(ClockSetBack{.machine = -5, .session = 7}));
  EXPECT_EQ(std::get<ClockSetBack>(event).machine, -5);
  for (const std::string payload : {R"({"event": "a party"})", R"({"line": 3})", "[]", "", "\xff",
                                    R"({"event": "line set aside", "line": "3", "why": 1})"})
    EXPECT_THROW(event_of(payload), ModelError) << payload;
  try {
    event_of(R"({"event": "a party"})");
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("written by a newer version of askfew"), std::string::npos);
  }
}

}  // namespace
}  // namespace askfew

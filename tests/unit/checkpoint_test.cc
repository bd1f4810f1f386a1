// Checkpoints of a ledger: a restart from the last one is a replay of all lines, in less time.

#include <cstring>
#include <gtest/gtest.h>

#include "askfew/ledger/ledger_file.h"
#include "askfew/models/model_file.h"
#include "askfew/sessions/answers.h"
#include "askfew/sessions/ledger_check.h"
#include "askfew/sessions/session_ledger.h"

#include "tests/unit/checkpointed.h"

namespace askfew {
namespace {

using namespace checkpointed;

TEST(Checkpoint, a_restart_has_the_state_of_a_replay_wherever_the_ledger_ends) {
  const MemoryFile file;
  write(file, 30, 10);
  const std::string whole = file.bytes();
  const auto places = places_of_checkpoints(file);
  ASSERT_EQ(places.size(), 3);
  std::uint64_t from_checkpoint = 0;
  for (std::size_t size = whole.size(); size > end_of_first(file); size -= std::min<std::size_t>(size, 211)) {
    const MemoryFile torn;
    torn.write(whole.substr(0, size));
    const WholeReplay all = replayed(torn);
    const SessionLedger live = open(torn);
    ASSERT_EQ(live.session->snapshot(), all.session->snapshot()) << size;
    ASSERT_EQ(live.replayed, all.end.lines);
    if (size == whole.size()) {
      EXPECT_EQ(live.restored, 60);
    }
    if (size > places[2] && size < places[2] + 500) {
      EXPECT_EQ(live.restored, 40) << "the last one is torn";
    }
    from_checkpoint += live.restored > 0 ? 1 : 0;
  }
  EXPECT_GT(from_checkpoint, 20);
}

TEST(Checkpoint, a_session_continues_from_a_checkpoint_to_the_same_records) {
  const MemoryFile file;
  write(file, 30, 10);
  const MemoryFile other;
  other.write(file.bytes());
  {
    SessionLedger live = open(file);
    EXPECT_EQ(live.restored, 60);
    take(live, 30, 60);
    ASSERT_TRUE(live.checkpoints->write(0));
  }
  {  // an observer that sees all lines needs all of them
    std::uint64_t seen = 0;
    SessionLedger live = open(other, {.line = [&](const Session&, const Replayed&) { ++seen; }});
    EXPECT_EQ(seen, 60);
    EXPECT_EQ(live.restored, 0);
    EXPECT_EQ(live.checkpoints, nullptr);
    Recorder recorder(live, false);
    take(recorder, 30, 60);
  }
  EXPECT_TRUE(file.bytes().starts_with(other.bytes()));
  EXPECT_EQ(replayed(file).end.compared, 4);
}

TEST(Checkpoint, a_restart_sees_damage_from_the_last_checkpoint_on_and_a_replay_sees_all) {
  const MemoryFile file;
  write(file, 30, 10);
  {
    SessionLedger live = open(file);
    take(live, 30, 33);
  }
  const std::string whole = file.bytes();
  const auto places = places_of_checkpoints(file);
  // A restart reads the first record, too.
  for (std::size_t at = end_of_first(file); at < whole.size(); at += 499) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    const MemoryFile damaged;
    damaged.write(bytes);
    EXPECT_NE(failure_of([&] { replayed(damaged); }).find("damaged at byte"), std::string::npos) << at;
    EXPECT_EQ(check_ledger(damaged.path()).tail.kind, LedgerTail::Kind::damaged) << at;
    const std::string failure = failure_of([&] { open(damaged); });
    if (at < places[2] - sizeof(ledger::Link)) {
      EXPECT_EQ(failure, "") << at;
    } else {
      EXPECT_NE(failure.find("damaged at byte"), std::string::npos) << at;
    }
    if (!failure.empty()) {
      EXPECT_EQ(damaged.bytes(), bytes) << "nothing was changed";
    }
  }
}

/// The ledger with the payloads of its checkpoints replaced by `replace`.
std::string with_replaced(const MemoryFile& file,
                          const std::function<std::string(const std::string&)>& replace) {
  const auto store = LedgerFile::for_reading(file.path());
  LedgerReader reader(*store);
  std::string bytes(ledger::magic);
  ledger::Link link = ledger::first_link(ledger::magic);
  while (const auto record = reader.next()) {
    std::string payload(record->payload);
    if (record->type == ledger::Type::checkpoint) payload = replace(payload);
    link = ledger::append_record(record->type, payload, link, bytes);
  }
  return bytes;
}

/// The ledger with the state of its checkpoint changed by `change`.
std::string with_changed(const MemoryFile& file, const std::function<void(Checkpoint&)>& change) {
  return with_replaced(file, [&](const std::string& payload) {
    Checkpoint checkpoint = checkpoint_of(payload);
    change(checkpoint);
    return checkpoint_payload(checkpoint);
  });
}

/// The payload of a checkpoint with another head, and these bytes after it.
std::string with_head(const std::string& payload, const std::function<void(json&)>& change,
                      const std::function<std::string(const std::string&)>& rest) {
  std::uint32_t size = 0;
  std::memcpy(&size, payload.data(), sizeof size);
  json head = json::parse(payload.substr(sizeof size, size));
  change(head);
  const std::string text = head.dump();
  const auto new_size = static_cast<std::uint32_t>(text.size());
  return std::string(reinterpret_cast<const char*>(&new_size), sizeof new_size) + text +
         rest(payload.substr(sizeof size + size));
}

/// The same checkpoint as earlier versions wrote it: not packed.
std::string not_packed(const std::string& payload) {
  const auto earlier = [](json& head) {
    head["state"] = 1;
    head.erase("state_bytes");
  };
  return with_head(payload, earlier,
                   [&](const std::string&) { return encode_model(checkpoint_of(payload).state); });
}

TEST(Checkpoint, those_of_earlier_versions_are_read) {
  const MemoryFile file;
  write(file, 30, 10);
  const MemoryFile old;
  old.write(with_replaced(file, not_packed));
  EXPECT_GT(old.bytes().size(), file.bytes().size());
  EXPECT_EQ(replayed(old).end.compared, 3);
  {
    SessionLedger live = open(old);
    EXPECT_EQ(live.restored, 60);
    EXPECT_EQ(live.session->snapshot(), replayed(file).session->snapshot());
    take(live, 30, 40);
    ASSERT_TRUE(live.checkpoints->write(0));
  }
  EXPECT_EQ(replayed(old).end.compared, 4);
}

TEST(Checkpoint, a_packed_state_of_another_size_or_with_damage_is_refused) {
  const MemoryFile file;
  write(file, 10, 10);
  const auto failure = [&](const std::function<std::string(const std::string&)>& replace) {
    const MemoryFile changed;
    changed.write(with_replaced(file, replace));
    return failure_of([&] { open(changed); });
  };
  const auto with_size = [](const std::string& payload, const json& bytes) {
    return with_head(
        payload, [&](json& head) { head["state_bytes"] = bytes; }, std::identity());
  };
  for (const json& bytes : {json(0), json(1), json(1'000'000), json(1e15), json(std::uint64_t{1} << 62)}) {
    EXPECT_NE(failure([&](const std::string& payload) { return with_size(payload, bytes); }), "") << bytes;
  }
  EXPECT_NE(failure([](std::string payload) {
              payload[payload.size() - 20] ^= 1;
              return payload;
            }).find("a packed state that is damaged"),
            std::string::npos);
  EXPECT_NE(failure([](const std::string& payload) { return payload.substr(0, payload.size() - 1); }), "");
}

TEST(Checkpoint, a_short_ledger_of_hashed_text_gets_one) {
  const MemoryFile file;
  SessionSettings wanted = settings();
  wanted.config.sampler = parse_preset("auto");
  {
    SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, nullptr);
    Recorder recorder(live, false);
    for (int k = 0; k < 1500; ++k) {
      const std::string words = "word" + std::to_string(k * k % 997) + " word" + std::to_string(k % 89);
      answers_to(recorder, {json{{"id", k}, {"text", words}}.dump(), label(k - 3)}, 1000 * k);
    }
    ASSERT_TRUE(recorder.end());
  }
  const SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, nullptr);
  EXPECT_GT(live.restored, 1500U);
  EXPECT_EQ(live.session->snapshot(), replayed(file).session->snapshot());
}

TEST(Checkpoint, a_replay_names_the_place_of_a_checkpoint_that_differs) {
  const MemoryFile file;
  write(file, 10, 10);
  const std::uint64_t place = places_of_checkpoints(file)[0];
  const auto failure = [&](const std::function<void(Checkpoint&)>& change) {
    const MemoryFile changed;
    changed.write(with_changed(file, change));
    return failure_of([&] { replayed(changed); });
  };
  EXPECT_EQ(failure([](Checkpoint&) {}), "");
  const std::string expected = "byte " + std::to_string(place) +
                               ", line 20, round 10: replaying gives another state than the checkpoint says";
  const auto differs = [&](const std::function<void(Checkpoint&)>& change) {
    const std::string why = failure(change);
    EXPECT_NE(why.find(expected), std::string::npos) << why;
  };
  differs([](Checkpoint& c) { ++c.lines; });
  differs([](Checkpoint& c) { ++c.set_aside; });
  differs([](Checkpoint& c) { ++c.clock_shift; });
  differs([](Checkpoint& c) { ++c.time; });
  differs([](Checkpoint& c) { c.dropped = Checkpoint::Dropped{}; });
  differs([](Checkpoint& c) { c.state.tensors.begin()->second.bytes[0] ^= 1; });
  differs([](Checkpoint& c) { c.state.tensors.erase(c.state.tensors.begin()); });
  differs(
      [](Checkpoint& c) { c.state.tensors["session.more"] = {.dtype = "U8", .shape = {1}, .bytes = "x"}; });
  differs([](Checkpoint& c) { c.state.metadata[std::string(snapshot_config)] += ' '; });
  EXPECT_EQ(failure([](Checkpoint& c) { c.state.metadata["askfew.version"] = "99"; }), "");
  EXPECT_EQ(failure([](Checkpoint& c) {
              c.state.tensors["beside.more"] = {.dtype = "U8", .shape = {1}, .bytes = "x"};
            }),
            "");
}

TEST(Checkpoint, reports_between_lines_do_not_change_the_state_that_a_replay_finds) {
  const MemoryFile file;
  {
    SessionSettings wanted = settings();
    wanted.labels.max_age = 5'000;
    SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, nullptr);
    Recorder recorder(live, false);
    for (int k = 0; k < 30; ++k) {
      answers_to(recorder, {instance(k)}, 1000 * k);
      answers_to(recorder, {R"({"report": true})"}, 1000 * k + 900);
      if (k % 7 != 0) continue;
      ASSERT_TRUE(live.checkpoints->write(0));
    }
    EXPECT_GT(live.session->counts().expired, 5);
  }
  EXPECT_EQ(replayed(file).end.compared, 5);
}

TEST(Checkpoint, lines_that_are_not_recorded_fix_nothing) {
  const MemoryFile file;
  SessionSettings wanted = settings();
  const auto memory = std::make_shared<MemoryLimit>(4000);
  {
    SessionLedger live = open_session_ledger(file.path(), wanted, SettingsMismatch::is_an_error, memory);
    Recorder recorder(live, false);
    const std::string large = json{{"id", 1}, {"x", std::vector<double>(500, 1.0)}}.dump();
    EXPECT_TRUE(answers_to(recorder, {large, instance(2)}, 1)[0].contains("error")) << "there is no memory";
    EXPECT_FALSE(live.session->reader().fixed().shape.has_value());
    EXPECT_TRUE(answers_to(recorder, {instance(3)}, 2)[0].contains("ask"));
    ASSERT_TRUE(live.checkpoints->write(0));
  }
  EXPECT_EQ(replayed(file).end.compared, 1);
}

TEST(Checkpoint, checkpoints_take_an_eighth_of_the_ledger_and_a_quarter_with_those_at_ends) {
  const MemoryFile file;
  int next = 0;
  for (int run = 0; run < 12; ++run) {
    SessionLedger live = open(file);
    Recorder recorder(live, false);
    take(recorder, next, next + 600);
    next += 600;
    ASSERT_TRUE(recorder.end());
  }
  const WholeReplay all = replayed(file);
  EXPECT_GT(all.end.compared, 3);
  EXPECT_LE(all.end.checkpoints, (file.bytes().size() - all.end.checkpoints) / 4 + 100);
  SessionLedger live = open(file);
  EXPECT_GT(live.restored, all.end.lines / 2);
  Recorder recorder(live, false);
  take(recorder, next, next + 10'000);
  const WholeReplay more = replayed(file);
  EXPECT_GT(more.end.compared, all.end.compared);
  EXPECT_EQ(more.session->snapshot(), live.session->snapshot());
}

/// A checkpoint contains numbers that people have sent. Here they are the bytes of another checkpoint.
TEST(Checkpoint, bytes_that_look_like_a_checkpoint_are_not_taken_for_one) {
  const MemoryFile plain;
  write(plain, 10, 10);
  std::string fake = plain.bytes().substr(places_of_checkpoints(plain)[0] - sizeof(ledger::Link));
  const LedgerObserver observer{.beside = {.name = "a test",
                                           .save =
                                               [&](Snapshot& snapshot) {
                                                 snapshot.tensors["beside.fake"] = {
                                                     .dtype = "U8", .shape = {fake.size()}, .bytes = fake};
                                               },
                                           .load = [](const Snapshot&) {}}};
  for (const std::string more : {"", "0123456789", "a few more bytes, as many as a prefix has, and more"}) {
    fake += more;
    const MemoryFile file;
    {
      SessionLedger live = open(file, observer);
      take(live, 0, 20);
      ASSERT_TRUE(live.checkpoints->write(0));
    }
    file.write(with_replaced(file, not_packed));  // packed, the numbers would look like nothing
    const auto bytes = LedgerFile::for_reading(file.path());
    const std::uint64_t real = places_of_checkpoints(file).back();
    const auto found = find_last_record(*bytes, ledger::Type::checkpoint, 100, file.bytes().size());
    ASSERT_GT(found->place, real) << "it does not look like one";
    const SessionLedger live = open(file);
    EXPECT_EQ(live.restored, 40) << "20 would be those of the other checkpoint";
    EXPECT_EQ(live.session->snapshot(), replayed(file).session->snapshot());
  }
}

}  // namespace
}  // namespace askfew

// A compact ledger: a checkpoint in place of the lines before it.

#include "askfew/sessions/compact.h"

#include <gtest/gtest.h>

#include "askfew/sessions/ledger_check.h"

#include "tests/unit/checkpointed.h"

namespace askfew {
namespace {

using namespace checkpointed;

TEST(Compact, a_compact_ledger_continues_as_the_whole_one_does) {
  const MemoryFile file;
  write(file, 30, 10);
  {
    SessionLedger live = open(file);
    take(live, 30, 37);
  }
  const CompactLedger once = compact_ledger(file.path(), nullptr);
  EXPECT_EQ(once.lines, 74);
  EXPECT_EQ(once.dropped, 74);
  const std::uint64_t first = end_of_first(file);
  EXPECT_LT(once.bytes.size() - first, (file.bytes().size() - first) / 2);
  const MemoryFile compact;
  compact.write(once.bytes);
  EXPECT_EQ(replayed(compact).session->snapshot(), replayed(file).session->snapshot());
  for (const MemoryFile* one : {&file, static_cast<const MemoryFile*>(&compact)}) {
    SessionLedger live = open(*one);
    take(live, 37, 50);
  }
  const WholeReplay all = replayed(file);
  const WholeReplay rest = replayed(compact);
  EXPECT_EQ(rest.session->snapshot(), all.session->snapshot());
  EXPECT_EQ(rest.end.lines, all.end.lines);
  ASSERT_TRUE(rest.end.begun_with.has_value());
  EXPECT_EQ(rest.end.begun_with->lines, 74);
  const LedgerCheck check = check_ledger(compact.path());
  EXPECT_EQ(check.lines, 100);
  EXPECT_EQ(check.dropped_lines, 74);
  EXPECT_EQ(check.outcomes, 26);

  const CompactLedger again = compact_ledger(compact.path(), nullptr);
  EXPECT_EQ(again.dropped, 100);
  const MemoryFile twice;
  twice.write(again.bytes);
  EXPECT_EQ(replayed(twice).session->snapshot(), all.session->snapshot());
  EXPECT_GT(check_ledger(twice.path()).dropped->bytes, check.dropped->bytes);
}

TEST(Compact, a_ledger_of_messages_or_of_a_server_without_checkpoints_is_not_compacted) {
  for (const LedgerEvent& event :
       {LedgerEvent(MessageRefused{.topic = "t"}), LedgerEvent(InstanceKept{.line = instance(9)})}) {
    const MemoryFile file;
    {
      SessionLedger live = open(file);
      take(live, 0, 3);
      live.ledger->add(ledger::Type::event, event_payload(event));
      ASSERT_TRUE(live.ledger->flush());
    }
    EXPECT_THROW(compact_ledger(file.path(), nullptr), ConfigError);
  }
}

}  // namespace
}  // namespace askfew

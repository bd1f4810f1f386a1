// The bytes after the last whole record of a ledger, and what a repair cuts off.

#include "askfew/ledger/ledger_tail.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/ledger_writer.h"
#include "askfew/ledger/repair.h"

namespace askfew {
namespace {

using Kind = LedgerTail::Kind;

/// Three records, the last of 300 bytes.
class LedgerTailTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_);
    LedgerWriter writer(LedgerFile::for_writing(path_), "start");
    writer.add(ledger::Type::line, "the first line");
    ASSERT_TRUE(writer.flush());
    before_ = std::filesystem::file_size(path_);
    writer.add(ledger::Type::line, std::string(300, 'x'));
    ASSERT_TRUE(writer.flush());
    std::ostringstream bytes;
    bytes << std::ifstream(path_, std::ios::binary).rdbuf();
    bytes_ = bytes.str();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  [[nodiscard]] LedgerTail tail() const {
    const auto file = LedgerFile::for_reading(path_);
    LedgerReader reader(*file);
    try {
      while (reader.next()) {
      }
    } catch (const LedgerDamage& damage) {
      return tail_of(*file, reader, &damage);
    }
    return tail_of(*file, reader, nullptr);
  }

  const std::filesystem::path folder_ = testing::TempDir() + "askfew_tail_" + std::to_string(getpid());
  const std::string path_ = folder_ / "l";
  std::size_t before_ = 0;  // bytes of the first two records
  std::string bytes_;
};

TEST_F(LedgerTailTest, a_whole_ledger_has_no_tail_and_a_repair_changes_nothing) {
  EXPECT_EQ(tail().kind, Kind::nothing);
  EXPECT_EQ(repair_ledger(path_).tail.kind, Kind::nothing);
  EXPECT_EQ(std::filesystem::file_size(path_), bytes_.size());
}

/// A file system may have made the file as long as it should be, but written only some of its blocks.
TEST_F(LedgerTailTest, zeros_from_any_byte_on_are_cut_off_together_with_their_record) {
  for (std::size_t size = before_; size < bytes_.size(); ++size) {
    for (const std::size_t zeros : {bytes_.size() - size, std::size_t{4096}}) {
      if (zeros < 8) continue;  // only bytes of the hash, which can be zero by chance
      write(bytes_.substr(0, size) + std::string(zeros, '\0'));
      const LedgerTail found = tail();
      ASSERT_EQ(found.kind, Kind::zeros) << size;
      ASSERT_EQ(found.whole, before_);
      ASSERT_EQ(found.bytes, size + zeros - before_);
      ASSERT_GE(found.zeros, zeros);
    }
  }
}

TEST_F(LedgerTailTest, a_repair_cuts_zeros_and_torn_records_and_keeps_the_bytes_that_are_not_zero) {
  write(bytes_ + std::string(5000, '\0'));
  const LedgerRepair zeros = repair_ledger(path_);
  EXPECT_EQ(zeros.tail.kind, Kind::zeros);
  EXPECT_EQ(zeros.kept, "");
  EXPECT_EQ(std::filesystem::file_size(path_), bytes_.size());
  EXPECT_EQ(tail().kind, Kind::nothing);

  write(bytes_.substr(0, before_ + 100) + std::string(5000, '\0'));
  const LedgerRepair half = repair_ledger(path_);
  EXPECT_EQ(std::filesystem::file_size(path_), before_);
  EXPECT_EQ(half.kept, path_ + ".cut-" + std::to_string(before_));
  std::ostringstream kept;
  kept << std::ifstream(half.kept, std::ios::binary).rdbuf();
  EXPECT_EQ(kept.str(), bytes_.substr(before_, 100));

  write(bytes_.substr(0, before_ + 100));
  const LedgerRepair torn = repair_ledger(path_);
  EXPECT_EQ(torn.tail.kind, Kind::torn);
  EXPECT_EQ(torn.kept, half.kept + "-2") << "the torn record starts at the same place as before";
  EXPECT_EQ(std::filesystem::file_size(path_), before_);
}

TEST_F(LedgerTailTest, damage_before_whole_records_is_reported_and_not_changed) {
  std::string damaged = bytes_;
  damaged[ledger::magic.size() + 16 + 5 + 8 + 16 + 3] ^= 1;  // in the payload of the second record
  write(damaged);
  const LedgerRepair repair = repair_ledger(path_);
  EXPECT_EQ(repair.tail.kind, Kind::damaged);
  EXPECT_EQ(repair.tail.place, ledger::magic.size() + 16 + 5 + 8);
  EXPECT_EQ(repair.tail.readable, 1);
  EXPECT_EQ(std::filesystem::file_size(path_), damaged.size());
}

TEST_F(LedgerTailTest, a_changed_bit_is_never_treated_as_zeros) {
  for (std::size_t bit = 8 * before_; bit < 8 * bytes_.size(); bit += 3) {
    std::string changed = bytes_;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    write(changed);
    ASSERT_NE(tail().kind, Kind::zeros) << bit;
  }
}

}  // namespace
}  // namespace askfew

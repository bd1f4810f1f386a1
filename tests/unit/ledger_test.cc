// The ledger: records are read back, every truncation is a torn end, every changed bit is refused.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <sys/resource.h>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/ledger_reader.h"
#include "askfew/ledger/ledger_writer.h"

#include "tests/unit/memory_file.h"

namespace askfew {
namespace {

using ledger::Type;

struct WhatWasRead {
  std::vector<std::string> payloads;
  std::uint64_t whole = 0;
  std::uint64_t torn = 0;
  std::string failure;
};

WhatWasRead read(const std::string& path) {
  const auto ledger = LedgerFile::for_reading(path);
  LedgerReader reader(*ledger);
  WhatWasRead result;
  try {
    while (const auto record = reader.next()) result.payloads.emplace_back(record->payload);
  } catch (const DataError& error) {
    result.failure = error.what();
  }
  result.whole = reader.whole_bytes();
  result.torn = reader.torn_bytes();
  return result;
}

const std::vector<std::string> payloads{"how it began", "", "{\"id\":1}", std::string(70, '\0')};

void fill(LedgerWriter& writer) {
  for (std::size_t k = 1; k < payloads.size(); ++k)
    writer.add(k % 2 == 1 ? Type::line : Type::outcome, payloads[k]);
  ASSERT_TRUE(writer.flush());
}

std::string small_ledger() {
  const MemoryFile file;
  LedgerWriter writer(LedgerFile::for_writing(file.path()), payloads[0]);
  fill(writer);
  return file.bytes();
}

TEST(Ledger, records_are_read_back_as_written) {
  const MemoryFile file;
  file.write(small_ledger());
  const WhatWasRead found = read(file.path());
  EXPECT_EQ(found.failure, "");
  EXPECT_EQ(found.payloads, payloads);
  EXPECT_EQ(found.torn, 0);
  EXPECT_EQ(found.whole, small_ledger().size());
}

TEST(Ledger, every_truncation_is_a_torn_end_after_whole_records) {
  const std::string bytes = small_ledger();
  const MemoryFile file;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    file.write(bytes.substr(0, size));
    const WhatWasRead found = read(file.path());
    ASSERT_EQ(found.failure, "") << size;
    ASSERT_LT(found.payloads.size(), payloads.size());
    ASSERT_EQ(found.payloads,
              std::vector(payloads.begin(), payloads.begin() + static_cast<long>(found.payloads.size())));
    ASSERT_EQ(found.whole + found.torn, size);
    // Writing continues after the whole records as if nothing had happened.
    if (found.payloads.empty()) continue;
    auto ledger = LedgerFile::for_writing(file.path());
    LedgerReader reader(*ledger);
    while (reader.next()) {
    }
    const std::uint64_t whole = reader.whole_bytes();
    LedgerWriter writer(std::move(ledger), whole, reader.link());
    for (std::size_t k = found.payloads.size(); k < payloads.size(); ++k)
      writer.add(k % 2 == 1 ? Type::line : Type::outcome, payloads[k]);
    ASSERT_TRUE(writer.flush());
    ASSERT_EQ(file.bytes(), bytes) << size;
  }
}

TEST(Ledger, every_changed_bit_is_refused_with_its_place) {
  const std::string bytes = small_ledger();
  const MemoryFile file;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    file.write(changed);
    const WhatWasRead found = read(file.path());
    ASSERT_NE(found.failure, "") << bit;
    ASSERT_NE(found.failure.find(" at byte "), std::string::npos) << found.failure;
    ASSERT_LE(found.whole, bit / 8);
  }
}

TEST(Ledger, records_that_changed_places_or_are_missing_are_refused) {
  std::string records[3];
  std::string out;
  const ledger::Link start = ledger::append_record(Type::start, "", ledger::first_link(ledger::magic), out);
  ledger::Link link = start;
  for (std::string& record : records) link = ledger::append_record(Type::line, "same", link, record);
  const MemoryFile file;
  const auto refused = [&](const std::string& rest) {
    file.write(std::string(ledger::magic) + out + rest);
    return !read(file.path()).failure.empty();
  };
  EXPECT_FALSE(refused(records[0] + records[1] + records[2]));
  EXPECT_TRUE(refused(records[0] + records[2] + records[1]));
  EXPECT_TRUE(refused(records[0] + records[2]));
  EXPECT_TRUE(refused(records[0] + records[0]));
}

TEST(Ledger, another_format_and_another_kind_of_file_have_different_messages) {
  const MemoryFile file;
  file.write("askfew ledger 4\n and more");
  EXPECT_NE(
      read(file.path()).failure.find("a ledger of format 4 at byte 0: written by a newer version of askfew"),
      std::string::npos);
  file.write("{\"id\": 1, \"text\": \"no ledger\"}\n");
  EXPECT_NE(read(file.path()).failure.find("not a ledger"), std::string::npos);
}

TEST(Ledger, only_one_process_can_write) {
  const MemoryFile file;
  const auto one = LedgerFile::for_writing(file.path());
  EXPECT_THROW(LedgerFile::for_writing(file.path()), FileError);
}

TEST(Ledger, a_failed_write_leaves_the_records_before_it_and_can_be_tried_again) {
  const MemoryFile file;
  LedgerWriter writer(LedgerFile::for_writing(file.path()), payloads[0]);
  ASSERT_TRUE(writer.flush());
  const std::string before = file.bytes();
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = before.size() + 10, .rlim_max = usual.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const LedgerWriter::Mark mark = writer.mark();
  for (std::size_t k = 1; k < payloads.size(); ++k)
    writer.add(k % 2 == 1 ? Type::line : Type::outcome, payloads[k]);
  EXPECT_FALSE(writer.flush());
  EXPECT_EQ(writer.why(), "File too large");
  EXPECT_EQ(file.bytes(), before);
  setrlimit(RLIMIT_FSIZE, &usual);
  EXPECT_TRUE(writer.flush());
  EXPECT_EQ(file.bytes(), small_ledger());

  setrlimit(RLIMIT_FSIZE, &small);
  const LedgerWriter::Mark later = writer.mark();
  writer.add(Type::line, "never");
  EXPECT_FALSE(writer.flush());
  writer.retract(later);
  setrlimit(RLIMIT_FSIZE, &usual);
  EXPECT_TRUE(writer.flush());
  EXPECT_EQ(file.bytes(), small_ledger());
  EXPECT_EQ(mark.bytes, 0U);
}

TEST(Ledger, a_full_device_fails_and_a_record_of_any_size_is_read_back) {
  LedgerWriter full(LedgerFile::for_writing("/dev/full"), "start");
  EXPECT_FALSE(full.flush());
  EXPECT_EQ(full.why(), "No space left on device");

  const MemoryFile file;
  LedgerWriter writer(LedgerFile::for_writing(file.path()), "start");
  const std::string large(1'000'000, 'x');
  for (int k = 0; k < 5; ++k) writer.add(Type::line, large);
  ASSERT_TRUE(writer.flush());
  EXPECT_EQ(read(file.path()).payloads,
            (std::vector<std::string>{"start", large, large, large, large, large}));
}

/// In the format of versions before format 2.
TEST(Ledger, a_ledger_of_format_1_is_read_and_can_be_continued) {
  std::string bytes = "askfew ledger 1\n";
  ledger::Link link = ledger::append_record(Type::start, payloads[0], 0, bytes);
  link = ledger::append_record(Type::line, payloads[1], link, bytes);
  const MemoryFile file;
  file.write(bytes);
  EXPECT_EQ(read(file.path()).failure, "");
  EXPECT_EQ(read(file.path()).payloads, (std::vector{payloads[0], payloads[1]}));
  LedgerWriter writer(LedgerFile::for_writing(file.path()), bytes.size(), link);
  writer.add(Type::event, "{}");
  ASSERT_TRUE(writer.flush());
  EXPECT_EQ(read(file.path()).payloads, (std::vector<std::string>{payloads[0], payloads[1], "{}"}));
}

TEST(Ledger, a_record_of_an_unknown_type_is_refused_as_newer) {
  std::string bytes(ledger::magic);
  ledger::Link link = ledger::append_record(Type::start, "", ledger::first_link(ledger::magic), bytes);
  ledger::append_record(static_cast<Type>(7), "", link, bytes);
  const MemoryFile file;
  file.write(bytes);
  const std::string why = read(file.path()).failure;
  EXPECT_NE(
      why.find("a record of type 7 at byte 40: written by a newer version of askfew, which can read it"),
      std::string::npos)
      << why;
}

/// A payload that is larger than one record: it is written in pieces, read as one, and torn as a whole.
TEST(Ledger, a_payload_of_several_pieces_is_read_back_and_torn_as_a_whole) {
  std::string large(2 * ledger::piece_bytes + 12'345, 'x');
  large[ledger::piece_bytes] = 'y';
  const MemoryFile file;
  {
    LedgerWriter writer(LedgerFile::for_writing(file.path()), large);
    writer.add(Type::line, "behind it");
    ASSERT_TRUE(writer.flush());
  }
  EXPECT_TRUE(read(file.path()).payloads == (std::vector<std::string>{large, "behind it"}));
  const std::string whole = file.bytes();
  EXPECT_GT(whole.size(), large.size());
  for (const std::size_t size : {std::size_t{20}, ledger::piece_bytes, ledger::piece_bytes + 100,
                                 whole.size() - 34, whole.size() - 33}) {
    file.write(whole.substr(0, size));
    const WhatWasRead found = read(file.path());
    EXPECT_EQ(found.failure, "");
    EXPECT_EQ(found.payloads.size(), size == whole.size() - 33 ? 1 : 0) << size;
    EXPECT_EQ(found.whole, size == whole.size() - 33 ? size : 0) << size;
    EXPECT_EQ(found.whole + found.torn, size);
  }
}

class LedgerOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_);
    writer_.emplace(LedgerFile::for_writing(path_), "start");
    ASSERT_TRUE(writer_->flush());
    writer_->add(Type::line, "a line");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ = testing::TempDir() + "askfew_ledger_" + std::to_string(getpid());
  const std::string path_ = folder_ / "l";
  const std::string elsewhere_ = folder_ / "elsewhere";
  std::optional<LedgerWriter> writer_;
};

TEST_F(LedgerOnDisk, a_ledger_that_was_moved_is_not_written_until_it_is_back) {
  std::filesystem::rename(path_, elsewhere_);
  const auto size = std::filesystem::file_size(elsewhere_);
  EXPECT_FALSE(writer_->flush());
  EXPECT_EQ(writer_->why(), path_ + " was deleted or moved");
  EXPECT_EQ(std::filesystem::file_size(elsewhere_), size);
  std::ofstream(path_) << "another file";
  EXPECT_FALSE(writer_->flush());
  std::filesystem::rename(elsewhere_, path_);
  EXPECT_TRUE(writer_->flush());
  EXPECT_EQ(read(path_).payloads, (std::vector<std::string>{"start", "a line"}));
}

TEST_F(LedgerOnDisk, a_ledger_that_was_deleted_is_not_written) {
  std::filesystem::remove(path_);
  EXPECT_FALSE(writer_->flush());
  EXPECT_EQ(writer_->why(), path_ + " was deleted or moved");
}

TEST_F(LedgerOnDisk, a_ledger_that_another_program_extended_or_truncated_is_not_written) {
  std::ofstream(path_, std::ios::app) << "more";
  EXPECT_FALSE(writer_->flush());
  EXPECT_EQ(writer_->why(), path_ + " was changed by another program");
  std::filesystem::resize_file(path_, 3);
  EXPECT_FALSE(writer_->flush());
  EXPECT_EQ(std::filesystem::file_size(path_), 3);
}

TEST(Ledger, the_first_sync_also_syncs_the_folder_of_the_file) {
  const std::filesystem::path folder = testing::TempDir() + "askfew_ledger_" + std::to_string(getpid());
  const std::filesystem::path moved = folder.string() + "_moved";
  std::filesystem::create_directory(folder);
  const std::string path = folder / "l";
  LedgerWriter synced(LedgerFile::for_writing(path), "start");
  EXPECT_TRUE(synced.commit(true));
  LedgerWriter late(LedgerFile::for_writing(folder / "late"), "start");
  std::filesystem::rename(folder, moved);
  EXPECT_TRUE(synced.commit(true));
  EXPECT_THROW(static_cast<void>(late.commit(true)), FileError);  // the folder of its name is unknown now
  std::filesystem::remove_all(moved);
}

}  // namespace
}  // namespace askfew

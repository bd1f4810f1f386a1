// Limits of reading: records that are found while their bytes arrive, and lines that are too long.

#include <gtest/gtest.h>
#include <memory>
#include <rapidcheck/gtest.h>

#include "askfew/streams/format.h"
#include "askfew/streams/formats/packages.h"
#include "askfew/streams/formats/reuters/reuters.h"
#include "askfew/streams/formats/tables/csv_cursor.h"
#include "askfew/streams/reading_memory.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::read_all;

/// A text of few letters, in which the characters that matter to a format are frequent.
std::string text_of(const std::vector<unsigned>& letters, std::string_view alphabet) {
  std::string text;
  for (const unsigned letter : letters) text += alphabet[letter % alphabet.size()];
  return text;
}

/// Searches a text that grows piece by piece; the result must be the same as for the whole text at once.
template <class Find>
void expect_same_by_pieces(const std::string& text, unsigned step, Find&& find) {
  std::size_t looked_at = 0;
  for (std::size_t size = 0; size <= text.size(); size += 1 + step % 7) {
    const std::string_view bytes = std::string_view(text).substr(0, size);
    std::size_t from_the_beginning = 0;
    const std::size_t whole = find(bytes, from_the_beginning);
    RC_ASSERT(find(bytes, looked_at) == whole);
    if (whole > 0) return;
  }
}

RC_GTEST_PROP(RecordEnds, csv_records_are_found_the_same_in_pieces,
              (const std::vector<unsigned>& letters, unsigned step)) {
  const CsvDialect dialect(',');
  expect_same_by_pieces(
      text_of(letters, "ab,\"\"\n \r"), step,
      [&](std::string_view bytes, std::size_t& from) { return dialect.whole_records(bytes, from); });
}

RC_GTEST_PROP(RecordEnds, packages_are_found_the_same_in_pieces,
              (const std::vector<unsigned>& letters, unsigned step)) {
  const PackagesFormat format(PackagesFormat::LabelField::section, {}, std::make_shared<LabelNames>());
  expect_same_by_pieces(text_of(letters, "a\n\r"), step, [&](std::string_view bytes, std::size_t& from) {
    return format.whole_records(bytes, from);
  });
}

TEST(RecordEnds, stories_are_found_the_same_in_pieces) {
  const ReutersFormat format({}, {}, std::make_shared<LabelNames>());
  const std::string text = "<REUTERS>a</REUTERS>\r\nb</REUTERS>\n";
  std::size_t looked_at = 0;
  for (std::size_t size = 0; size < 22; ++size) {
    EXPECT_EQ(format.whole_records(std::string_view(text).substr(0, size), looked_at), 0) << size;
  }
  EXPECT_EQ(format.whole_records(text, looked_at), text.size());
}

TEST(LongLines, a_line_with_its_end_can_be_as_long_as_the_limit) {
  const std::string line = "+1 1:0.25\n";
  for (const std::size_t most : {line.size(), line.size() + 1}) {
    const auto read = read_all(line + line + line, {.max_line = most});
    ASSERT_TRUE(read) << read.error().why;
    EXPECT_EQ(read->size(), 3);
  }
  const ParseError error = error_of(line + line, {.max_line = line.size() - 1});
  EXPECT_EQ(error.line, 1);
  EXPECT_EQ(error.why, "more than 9 bytes without an end, the most that a line may have: see `max_line`");
}

TEST(LongLines, the_lines_before_a_too_long_line_are_read) {
  const std::string text = "+1 1:1\n-1 1:2\n+1 1:1 2:1 3:1 4:1\n";
  const test::TemporaryFile file(text);
  const auto stream = open_stream(file.path(), {.max_line = 10});
  Examples block;
  std::size_t rows = 0;
  auto more = stream->next(block);
  for (; more && *more; more = stream->next(block)) rows += block.size();
  EXPECT_EQ(rows, 2);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().line, 3);
}

TEST(LongLines, the_last_line_needs_no_line_end) {
  EXPECT_TRUE(read_all("+1 1:1\n-1 1:2", {.max_line = 7}));
  EXPECT_FALSE(read_all("+1 1:1\n-1 1:23456", {.max_line = 7}));
}

TEST(LongLines, a_compressed_file_without_a_line_end_is_refused_early) {
  const ParseError error = error_of(test::gzip(std::string(100'000'000, '1')), {.max_line = 1'000'000});
  EXPECT_EQ(error.why,
            "more than 1000000 bytes without an end, the most that a line may have: see `max_line`");
}

TEST(LongLines, every_format_has_the_limit) {
  const std::string filler(5000, 'a');
  for (const std::string& text :
       {"1 |a " + filler + "\n", "a,y\n" + filler + ",1\n", filler + ",y\n1,1\n2,0\n",
        "ham\t" + filler + " b\nham\ta b\n", "@relation r\n@attribute " + filler + " numeric\n@data\n1\n",
        "@relation r\n@attribute t string\n@attribute y {0,1}\n@data\n" + filler + ",1\n",
        "{\"text\": \"" + filler + "\", \"label\": 1}\n",
        "Package: a\nSection: b\nDescription: " + filler + "\n\n", "<REUTERS>" + filler + "</REUTERS>\n"}) {
    const test::TemporaryFile file(text);
    const bool is_table = text.find(",y") != std::string::npos;
    const ParseError error = error_of(text, {.format = is_table ? "csv" : "auto", .max_line = 1000});
    EXPECT_NE(error.why.find("more than 1000 bytes without an end"), std::string::npos)
        << text.substr(0, 20) << ": " << error.why;
  }
}

TEST(LongLines, a_line_that_needs_more_memory_than_the_limit_is_refused) {
  std::string line = "+1";
  for (int k = 1; k <= 1'000'000; ++k) line += " " + std::to_string(k) + ":1";
  const StreamOptions little{.memory = std::make_shared<MemoryLimit>(1'000'000)};
  EXPECT_THROW(static_cast<void>(read_all(line + "\n", little)), MemoryError);
  const auto memory = std::make_shared<MemoryLimit>(2'000'000'000);
  for (const unsigned threads : {1U, 4U}) {
    const auto read =
        read_all(line + "\n" + line + "\n" + line + "\n", {.memory = memory, .threads = threads});
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), 3);
  }
  EXPECT_EQ(memory->left(), memory->most()) << "not all memory was released";
}

TEST(LongLines, long_lines_wait_for_each_other_if_memory_is_scarce) {
  std::string line = "+1";
  for (int k = 1; k <= 100'000; ++k) line += " " + std::to_string(k) + ":1";
  std::string text;
  for (int k = 0; k < 10; ++k) text += line + "\n";
  const auto enough = read_all(text, {});
  ASSERT_TRUE(enough);
  const auto memory = std::make_shared<MemoryLimit>(20'000'000);  // enough for one at a time
  for (const unsigned threads : {1U, 2U, 8U}) {
    const auto read = read_all(text, {.memory = memory, .threads = threads});
    ASSERT_TRUE(read);
    EXPECT_TRUE(test::same(*read, *enough));
  }
}

TEST(ReadingMemory, usual_reading_is_not_charged_and_all_memory_is_released) {
  const auto limit = std::make_shared<MemoryLimit>(1000);
  {
    const auto memory = std::make_shared<ReadingMemory>(limit);
    ReadingShare one(memory);
    ReadingShare other(memory);
    one.resize(ReadingMemory::usual, "a");
    EXPECT_EQ(limit->left(), 1000);
    other.resize(600, "b");
    EXPECT_EQ(limit->left(), 400);
    EXPECT_THROW(other.resize(1001, "b"), MemoryError);
    EXPECT_FALSE(other.try_resize(1001));
    EXPECT_EQ(limit->left(), 400);
    one.resize(0, "a");
    EXPECT_EQ(limit->left(), 1000);
  }
  EXPECT_EQ(limit->left(), 1000);
}

TEST(ReadingMemory, many_names_of_labels_are_charged_to_the_limit) {
  const auto limit = std::make_shared<MemoryLimit>(1'000'000);
  LabelNames names(std::make_shared<ReadingMemory>(limit));
  EXPECT_THROW(
      {
        for (int k = 0; k < 1'000'000; ++k) names.id("label " + std::to_string(k));
      },
      MemoryError);
}

TEST(ReadingMemory, the_columns_of_a_table_are_charged_to_the_limit) {
  std::string names = "c0";
  std::string row = "0";
  for (int k = 1; k < 100'000; ++k) {
    names += ",c" + std::to_string(k);
    row += ",1";
  }
  const std::string table = names + "\n" + row + "\n" + row + "\n";
  const StreamOptions little{.format = "csv", .memory = std::make_shared<MemoryLimit>(1'000'000)};
  EXPECT_THROW(static_cast<void>(read_all(table, little)), MemoryError);
  EXPECT_TRUE(read_all(table, {.format = "csv", .memory = std::make_shared<MemoryLimit>(1'000'000'000)}));
}

TEST(Skipped, all_malformed_lines_are_counted_and_few_are_kept) {
  std::string text;
  for (int k = 0; k < 50'000; ++k) text += "x\n";
  const auto skipped = std::make_shared<Skipped>();
  ASSERT_TRUE(read_all(text + "+1 1:1\n", {.skipped = skipped}));
  EXPECT_EQ(skipped->count, 50'000);
  EXPECT_EQ(skipped->first.size(), Skipped::max_shown);
}

}  // namespace
}  // namespace askfew

#include "askfew/streams/formats/tables/tsv.h"

#include <gtest/gtest.h>

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::error_of;
using test::of_table;
using test::read_all;

TEST(Tsv, a_line_is_a_label_and_a_text) {
  const auto read =
      read_all("\xEF\xBB\xBFham\tOk \"lar\r\nspam\tFREE entry,\tfree\n\nham\t\n", of_table("tsv"));
  ASSERT_TRUE(read) << read.error().why;
  ASSERT_EQ(read->size(), 3);
  EXPECT_EQ(read->x(0).size(), 2);
  EXPECT_EQ(read->x(1).size(), 2);
  EXPECT_EQ(read->x(2).size(), 0);
  EXPECT_EQ(read->labels(0)[0], read->labels(2)[0]);
  EXPECT_NE(read->labels(0)[0], read->labels(1)[0]);
  EXPECT_EQ(read->line(2), 4);
}

TEST(Tsv, labels_are_names_or_numbers) {
  const auto named = test::open("ham\tOk lar\nspam\tFree entry\n", of_table("tsv"));
  EXPECT_EQ(named->facts().label_kind, LabelKind::classes);
  EXPECT_EQ(named->facts().some_labels, std::vector<std::string>({"ham", "spam"}));
  EXPECT_EQ(named->label_name(named->label_id("spam")), "spam");
  EXPECT_EQ(test::open("1\tOk lar\n0\tFree entry\n", of_table("tsv"))->facts().label_kind, LabelKind::binary);
}

TEST(Tsv, without_labels_a_line_is_a_text) {
  StreamOptions options = of_table("tsv");
  options.unlabelled = Unlabelled::accepted;
  const auto read = read_all("Ok lar\nham\tOk lar\n", options);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->labels(0).empty());
  EXPECT_EQ(read->x(0).size(), 2);
  EXPECT_EQ(read->x(1).size(), 2);
}

TEST(Tsv, is_recognized_by_its_content) {
  EXPECT_TRUE(TsvFormat::recognizes("ham\tOk lar\nspam\tFree entry\nham\tYes\n"));
  EXPECT_FALSE(TsvFormat::recognizes("1\t2\n3\t4\n"));                    // numbers are a table
  EXPECT_FALSE(TsvFormat::recognizes("ham\tOk lar\tmore\n"));             // three columns are a table, too
  EXPECT_FALSE(TsvFormat::recognizes("label\ttext\nham\tOk lar now\n"));  // a header makes a table
  EXPECT_FALSE(TsvFormat::recognizes("a long text\tOk lar\n"));
  EXPECT_FALSE(TsvFormat::recognizes("+1 1:1\n"));
  EXPECT_FALSE(TsvFormat::recognizes(""));
  const auto read = read_all("ham\tOk lar\nspam\tFree entry\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 2);
}

TEST(Tsv, errors_name_line_and_column) {
  const StreamOptions tsv = of_table("tsv");
  EXPECT_EQ(error_of("a\tb\nno tab\n", tsv).line, 2);
  EXPECT_EQ(error_of("a\tb\nno tab\n", tsv).why, "no tab: expected a label, a tab and a text");
  EXPECT_EQ(error_of("a\tb\n\ttext\n", tsv).why.find("no label before the tab: "), 0U);
  EXPECT_EQ(error_of("a\tb\n\xE9\ttext\n", tsv).why, "label '\\xe9' is not UTF-8");
  const std::string nul("a\tb\nb\tsome\0text\n", 16);
  EXPECT_EQ(error_of(nul, tsv).line, 2);
  EXPECT_NE(error_of(nul, tsv).why.find("has a NUL byte"), std::string::npos);
}

}  // namespace
}  // namespace askfew

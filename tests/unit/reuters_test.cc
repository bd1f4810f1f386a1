#include <gtest/gtest.h>

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::read_all;
using test::TemporaryFile;
using Split = ReutersOptions::Split;

const StreamOptions reuters{.format = "reuters"};
const std::string doctype = "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n";

struct Story {
  std::string attributes = R"(TOPICS="YES" LEWISSPLIT="TRAIN")";
  std::string date = "26-FEB-1987 15:01:01.79";
  std::string topics = "<D>cocoa</D>";
  std::string text = "<TITLE>TITLE</TITLE>\n<BODY>body</BODY>";
  std::string text_tag = "<TEXT>";

  [[nodiscard]] std::string sgml() const {
    return "<REUTERS " + attributes + ">\n<DATE>" + date + "</DATE>\n<TOPICS>" + topics + "</TOPICS>\n" +
           text_tag + text + "</TEXT>\n</REUTERS>\n";
  }
};

Examples read(const std::string& bytes, const StreamOptions& options = reuters) {
  const auto all = read_all(bytes, options);
  EXPECT_TRUE(all) << bytes << (all ? "" : all.error().why);
  return all.value_or(Examples{});
}

std::int64_t time_of(const std::string& date) {
  return read(Story{.date = date}.sgml()).time(0);
}

/// Do both texts have the same features?
bool same_words(const std::string& a, const std::string& b) {
  const Examples rows = read(Story{.text = a}.sgml() + Story{.text = b}.sgml());
  const FeatureView x = rows.x(0);
  const FeatureView y = rows.x(1);
  return x.size() == y.size() && std::equal(x.indices(), x.indices() + x.size(), y.indices());
}

void expect_error(const std::string& bytes, std::uint64_t line, std::size_t column, const std::string& words,
                  const StreamOptions& options = reuters) {
  const ParseError error = error_of(bytes, options);
  EXPECT_EQ(error.line, line) << bytes << error.why;
  EXPECT_EQ(error.column, column) << bytes << error.why;
  EXPECT_NE(error.why.find(words), std::string::npos) << error.why;
}

TEST(Reuters, IsRecognizedByItsFirstTag) {
  EXPECT_EQ(read(doctype + Story{}.sgml(), {}).size(), 1U);
  EXPECT_EQ(read(Story{}.sgml(), {}).size(), 1U);
}

TEST(Reuters, TopicsAreLabels) {
  const TemporaryFile file(doctype + Story{.topics = "<D>earn</D>\n<D>acq</D><D>earn</D>"}.sgml() +
                           Story{.topics = ""}.sgml());
  const auto stream = open_stream(file.path(), reuters);
  EXPECT_EQ(stream->facts().label_kind, LabelKind::topics);
  Examples rows;
  ASSERT_TRUE(stream->next(rows).value_or(false));
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(rows.labels(0).size(), 2U);
  EXPECT_EQ(stream->label_name(rows.labels(0)[0]), "earn");
  EXPECT_EQ(stream->label_name(rows.labels(0)[1]), "acq");
  EXPECT_EQ(rows.labels(1).size(), 0U);
  EXPECT_EQ(rows.line(0), 2U);
  EXPECT_EQ(rows.line(1), 9U);
}

TEST(Reuters, TheTextIsTitleAndBody) {
  EXPECT_TRUE(
      same_words("&#2;\n<TITLE>one</TITLE><DATELINE>PARIS</DATELINE><BODY>two three\n Reuter\n&#3;</BODY>",
                 "<BODY>one two three Reuter</BODY>"));
  EXPECT_TRUE(same_words("<AUTHOR>me</AUTHOR><TITLE>brief</TITLE>", "<BODY>brief</BODY>"));
  EXPECT_EQ(read(Story{.text = "only this", .text_tag = "<TEXT TYPE=\"UNPROC\">"}.sgml()).x(0).size(), 2U);
  EXPECT_TRUE(same_words("&#2;\nall of <AUTHOR>it</AUTHOR>\n&#3;", "<BODY>all of it</BODY>"))
      << "without title and body, the whole text";
}

TEST(Reuters, EntitiesAreCharacters) {
  EXPECT_TRUE(same_words("<BODY>&lt;Smith &amp; Co> AT&T &quot;&gt;&unknown; &</BODY>",
                         "<BODY>Smith Co AT T unknown</BODY>"));
  EXPECT_TRUE(same_words("<BODY>caf&#233; &#8364; &#128512;</BODY>",
                         "<BODY>caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80</BODY>"));
  EXPECT_TRUE(same_words("<BODY>a&#5;b&#127;c&#150;d</BODY>", "<BODY>a b c d</BODY>"))
      << "control characters separate words";
  EXPECT_TRUE(same_words("<BODY>&#1114112; &#55296; &#; &#x20;</BODY>", "<BODY>1114112 55296 x20</BODY>"));
}

TEST(Reuters, BytesThatAreNotUtf8AreNoError) {
  EXPECT_FALSE(same_words("<BODY>M\xfcnchen</BODY>", "<BODY>M nchen</BODY>"));
}

TEST(Reuters, DatesAreTimes) {
  constexpr std::int64_t time = 541350061;  // 1987-02-26T15:01:01Z
  EXPECT_EQ(time_of("26-FEB-1987 15:01:01.79"), time);
  EXPECT_EQ(time_of("  26-FEB-1987  15:01:01.7&#5;&#5;&#5;C T"), time);
  EXPECT_EQ(time_of(" 6-MAR-1987 09:15:05.40    # date added by S Finch as guesswork "), 542020505);
  EXPECT_EQ(time_of("26-FEB-1987"), time - 15 * 3600 - 61);
  EXPECT_EQ(time_of("26-FEB-1987 605:12:19.12"), time - 15 * 3600 - 61)
      << "an impossible hour counts as midnight";
  EXPECT_EQ(time_of("26-FEB-1987 25:12:19.12"), time - 15 * 3600 - 61);
}

TEST(Reuters, TheSplitFollowsTheAttributes) {
  const std::string stories = doctype +
                              Story{.attributes = R"(TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1")"}.sgml() +
                              Story{.attributes = R"(TOPICS="YES" LEWISSPLIT="TRAIN")", .topics = ""}.sgml() +
                              Story{.attributes = R"(TOPICS="YES" LEWISSPLIT="TEST")"}.sgml() +
                              Story{.attributes = R"(TOPICS="NO" LEWISSPLIT="TRAIN")"}.sgml() +
                              Story{.attributes = R"(TOPICS="BYPASS" LEWISSPLIT="TEST")"}.sgml() +
                              Story{.attributes = R"(TOPICS="YES" LEWISSPLIT="NOT-USED")"}.sgml();
  const auto count = [&](Split split, bool with_topics) {
    return read(stories, {.format = "reuters", .reuters = {.split = split, .with_topics = with_topics}})
        .size();
  };
  EXPECT_EQ(count(Split::all, false), 6U);
  EXPECT_EQ(count(Split::all, true), 5U);
  EXPECT_EQ(count(Split::modapte, false), 3U);
  EXPECT_EQ(count(Split::modapte_train, false), 2U);
  EXPECT_EQ(count(Split::modapte_train, true), 1U);
  EXPECT_EQ(count(Split::modapte_test, false), 1U);
}

TEST(Reuters, ErrorsInStoriesNameTheirPlace) {
  const std::string story = Story{}.sgml();
  const auto without = [&](const std::string& part) {
    std::string rest = story;
    return doctype + rest.erase(rest.find(part), part.size());
  };
  expect_error(without("</REUTERS>"), 2, 1, "a story without </REUTERS>");
  expect_error(without("</REUTERS>") + story, 2, 1, "a story without </REUTERS>");
  expect_error(story + "  more\n" + story, 7, 3, "expected <REUTERS ...>");
  expect_error(doctype + "<REUTER>\n", 2, 1, "expected <REUTERS ...>");
  expect_error(without("<DATE>26-FEB-1987 15:01:01.79</DATE>"), 2, 1, "a story without <DATE>");
  expect_error(without("<TOPICS><D>cocoa</D></TOPICS>"), 2, 1, "a story without <TOPICS>");
  expect_error(without("<TEXT>"), 2, 1, "a story without <TEXT>");
  expect_error(without("</DATE>"), 3, 1, "a <DATE> without </DATE>");
  expect_error(without("</TOPICS>"), 4, 1, "a <TOPICS> without </TOPICS>");
  expect_error(without("</TEXT>"), 5, 1, "a <TEXT> without </TEXT>");
  expect_error(without("</BODY>"), 6, 1, "a <BODY> without </BODY>");
  expect_error(without("</D>"), 4, 9, "a <D> without </D>");
  expect_error(Story{.topics = "cocoa"}.sgml(), 3, 9, "expected <D>topic</D>");
  expect_error(Story{.topics = "<D></D>"}.sgml(), 3, 12, "is empty");
  expect_error(Story{.topics = "<D>caf\xe9</D>"}.sgml(), 3, 12, "not UTF-8");
  expect_error(Story{.date = "26.2.1987"}.sgml(), 2, 7, "is not like '26-FEB-1987 15:01:01.79'");
  expect_error(Story{.date = "31-FEB-1987"}.sgml(), 2, 7, "is not like '26-FEB-1987 15:01:01.79'");
  expect_error(Story{.attributes = R"(TOPICS="YES")"}.sgml(), 1, 1, "no attribute LEWISSPLIT",
               {.format = "reuters", .reuters = {.split = Split::modapte}});
  expect_error(Story{.attributes = R"(LEWISSPLIT="TEST)"}.sgml(), 1, 1, "no attribute LEWISSPLIT",
               {.format = "reuters", .reuters = {.split = Split::modapte}});
}

TEST(Reuters, MalformedStoriesCanBeSkipped) {
  const std::string good = Story{}.sgml();
  const std::string bad = Story{.date = "today"}.sgml();
  StreamOptions skipping{.format = "reuters", .skipped = std::make_shared<Skipped>()};
  EXPECT_EQ(
      read(doctype + bad + good + "junk\n" + good + "<REUTERS>\n" + good + "<REUTERS>", skipping).size(), 3U);
  ASSERT_EQ(skipping.skipped->count, 4U);
  EXPECT_EQ(skipping.skipped->first[0].line, 3U);
  EXPECT_EQ(skipping.skipped->first[1].line, 14U);
  EXPECT_EQ(skipping.skipped->first[2].line, 21U);
  EXPECT_EQ(skipping.skipped->first[3].line, 28U);
}

TEST(Reuters, ThreadsChunksAndLineEndsChangeNothing) {
  std::string stories = doctype;
  for (int k = 0; k < 50; ++k) {
    stories += Story{.topics = k % 3 == 0 ? "" : "<D>earn</D>",
                     .text = "<BODY>story " + std::to_string(k) + "</BODY>"}
                   .sgml();
    if (k == 20) stories += doctype;  // as `cat` joins files
  }
  const Examples expected = read(stories);
  EXPECT_EQ(expected.size(), 50U);
  for (const std::size_t chunk : {1U, 300U, 4000U}) {
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_TRUE(
          test::same(read(stories, {.format = "reuters", .threads = threads, .chunk = chunk}), expected));
    }
  }
  std::string dos;
  for (const char c : stories) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(test::same(read(dos, {.format = "reuters", .chunk = 300}), expected));
}

}  // namespace
}  // namespace askfew

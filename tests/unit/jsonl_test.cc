#include "askfew/features/feature_state.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::read_all;
using test::TemporaryFile;

// Most lines of these tests are about something else than labels.
const StreamOptions jsonl{.format = "jsonl", .unlabelled = Unlabelled::accepted};

Examples read(const std::string& lines, const StreamOptions& options = jsonl) {
  const auto all = read_all(lines, options);
  EXPECT_TRUE(all) << lines << (all ? "" : all.error().why);
  return all.value_or(Examples{});
}

std::vector<std::pair<FeatureView::Index, double>> features(const Examples& rows, std::size_t row) {
  std::vector<std::pair<FeatureView::Index, double>> pairs;
  const FeatureView x = rows.x(row);
  for (std::size_t k = 0; k < x.size(); ++k) pairs.emplace_back(x.indices()[k], x.values()[k]);
  return pairs;
}

std::vector<std::string> label_names(const std::string& lines) {
  const TemporaryFile file(lines);
  const auto stream = open_stream(file.path(), jsonl);
  Examples block;
  EXPECT_TRUE(stream->next(block).value_or(false)) << lines;
  std::vector<std::string> names;
  for (const Examples::LabelId id : block.labels(0)) {
    names.push_back(stream->label_name(id));
    EXPECT_EQ(stream->label_id(names.back()), id);
  }
  return names;
}

LabelKind kind_of(const std::string& lines) {
  const TemporaryFile file(lines);
  return open_stream(file.path(), jsonl)->facts().label_kind;
}

FeatureView::Index dimension_of(const std::string& lines, const StreamOptions& options = jsonl) {
  const TemporaryFile file(lines);
  return open_stream(file.path(), options)->facts().dimension;
}

/// Expects that the line is malformed at this column, for a reason with these words.
void expect_error(const std::string& line, std::size_t column, const std::string& words) {
  const ParseError error = error_of("\n" + line + "\n", jsonl);
  EXPECT_EQ(error.line, 2U) << line;
  EXPECT_EQ(error.column, column) << line << ": " << error.why;
  EXPECT_NE(error.why.find(words), std::string::npos) << line << ": " << error.why;
}

TEST(Jsonl, IsRecognizedByItsFirstBrace) {
  EXPECT_EQ(read(" \n\t{\"x\": [1], \"label\": 1}", {}).size(), 1U);
}

TEST(Jsonl, TextHasTheSameFeaturesAsInPackageLists) {
  const Examples json = read(R"({"text": "play chess \u00e9\n\"Chess\"", "id": 7})");
  const Examples list = read("Package: play chess\nDescription: \xc3\xa9 chess\n", {.format = "packages"});
  EXPECT_EQ(features(json, 0), features(list, 0));
  EXPECT_EQ(json.labels(0).size(), 0U);
  EXPECT_EQ(json.time(0), Examples::no_time);
}

TEST(Jsonl, SeveralTextsCountAsOneText) {
  const Examples rows = read(R"({"text": ["one two", "three"]}
{"text": "one two three"}
{"text": []})");
  EXPECT_EQ(features(rows, 0), features(rows, 1));
  EXPECT_EQ(rows.x(2).size(), 0U);
}

TEST(Jsonl, NamedTextsHaveSeparateWords) {
  const Examples rows = read(R"({"text": {"title": "one two", "body": "one"}}
{"text": {"body": "one", "title": "two one"}}
{"text": "one two"})");
  EXPECT_EQ(rows.x(0).size(), 3U);
  EXPECT_EQ(features(rows, 0), features(rows, 1));
  for (const auto& feature : features(rows, 2)) {
    for (const auto& other : features(rows, 0)) EXPECT_NE(feature.first, other.first);
  }
}

TEST(Jsonl, NumbersGiveADenseInstance) {
  const Examples rows = read("{\"x\": [1, -0.5, 2e3, 0]}\n\n  {\"x\":[0,0,0,1]}  \r\n");
  ASSERT_EQ(rows.size(), 2U);
  const FeatureView x = rows.x(0);
  ASSERT_TRUE(x.is_dense());
  EXPECT_EQ(std::vector<double>(x.values(), x.values() + x.size()), (std::vector<double>{1, -0.5, 2000, 0}));
  EXPECT_EQ(rows.line(0), 1U);
  EXPECT_EQ(rows.line(1), 3U);
  EXPECT_EQ(dimension_of("{\"x\": [1, 2, 3]}"), 3U);
}

TEST(Jsonl, PairsOfIndexAndValueCanComeInAnyOrder) {
  const Examples rows = read(R"({"features": [[7, 0.5], [0, -1], [3, 0], [5, 1e1]]})");
  EXPECT_EQ(features(rows, 0),
            (std::vector<std::pair<FeatureView::Index, double>>{{0, -1}, {5, 10}, {7, 0.5}}));
  EXPECT_EQ(dimension_of("{\"features\": []}"), 0U);
  EXPECT_EQ(dimension_of("{\"features\": []}", {.format = "jsonl", .dimension = 9}), 9U);
}

TEST(Jsonl, NamedFeaturesAreHashed) {
  const Examples rows = read(R"({"features": {"height": 2.5}}
{"features": {"height": -1, "weight": 3}}
{"features": {"color": "red"}}
{"features": {"color=red": true}}
{"features": {"color": "blue"}}
{"features": {"a": false, "b": null, "c": 0}}
{"text": "height"})");
  ASSERT_EQ(rows.size(), 7U);
  ASSERT_EQ(rows.x(0).size(), 1U);
  const FeatureView::Index height = rows.x(0).indices()[0];
  EXPECT_LT(height, FeatureView::Index{1} << 18);
  EXPECT_EQ(rows.x(0).values()[0], 2.5);
  const auto second = features(rows, 1);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ((second[0].first == height ? second[0] : second[1]), (std::pair{height, -1.0}));
  EXPECT_EQ(features(rows, 2), features(rows, 3));
  EXPECT_EQ(rows.x(2).values()[0], 1);
  EXPECT_NE(features(rows, 2), features(rows, 4));
  EXPECT_EQ(rows.x(5).size(), 0U);
  EXPECT_NE(rows.x(6).indices()[0], height) << "names and words are different features";
}

TEST(Jsonl, FeaturesWithTheSameIndexAreAddedUp) {
  // Two indices for all names: many names share an index.
  const StreamOptions one_bit{
      .format = "jsonl", .unlabelled = Unlabelled::accepted, .features = {.text = {.bits = 1}}};
  const Examples rows = read(
      R"({"features": {"a": 1, "b": 2, "c": 4, "d": 8, "e": 16}, "text": "one two three four"})", one_bit);
  const auto pairs = features(rows, 0);
  ASSERT_EQ(pairs.size(), 2U);
  const Examples words = read(R"({"text": "one two three four"})", one_bit);
  double expected = 31;
  for (const auto& [index, value] : features(words, 0)) expected += value;
  EXPECT_DOUBLE_EQ(pairs[0].second + pairs[1].second, expected);
}

TEST(Jsonl, FeaturesWhoseSumOverflowsAreAnError) {
  expect_error(R"({"features": {"a": 1.7e308, "b": -1.7e308}})", 14, "too large to be added up");
}

TEST(Jsonl, NamesAndWordsGoIntoADictionary) {
  const StreamOptions options{.format = "jsonl",
                              .unlabelled = Unlabelled::accepted,
                              .features = {.text = {.dictionary = true}, .bias = 1}};
  const TemporaryFile file(R"({"text": "red wine", "features": {"red": 2, "color": "red", "red": 3}}
{"features": {"color": "red"}})");
  const auto stream = open_stream(file.path(), options);
  EXPECT_EQ(stream->facts().dimension, 0U);
  Examples block;
  ASSERT_TRUE(stream->next(block).value_or(false));
  FeatureState(options.features).finish(block, 0, 2);
  using Pairs = std::vector<std::pair<FeatureView::Index, double>>;
  EXPECT_EQ(features(block, 0), (Pairs{{0, 1}, {1, 1}, {2, 1}, {3, 5}, {4, 1}}));
  EXPECT_EQ(features(block, 1), (Pairs{{0, 1}, {4, 1}}));
}

TEST(Jsonl, LabelsAreNumbersOrNames) {
  EXPECT_EQ(label_names(R"({"text": "", "label": -1})"), (std::vector<std::string>{"-1"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": "+1"})"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": 1.0})"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": true})"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": false})"), (std::vector<std::string>{"0"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": null})"), (std::vector<std::string>{}));
  EXPECT_EQ(label_names(R"({"text": "", "label": "07"})"), (std::vector<std::string>{"07"}));
  EXPECT_EQ(label_names(R"({"text": "", "label": 12345678901})"), (std::vector<std::string>{"12345678901"}));
  EXPECT_EQ(label_names(R"({"text": "", "labels": ["b", 3, "a", "3", "b"]})"),
            (std::vector<std::string>{"b", "3", "a"}));
  EXPECT_EQ(label_names(R"({"text": "", "labels": []})"), (std::vector<std::string>{}));
}

TEST(Jsonl, RepeatedLabelsAreKeptInTheirFirstPlaceOnly) {
  std::vector<std::string> expected;
  std::string labels;
  for (int k = 0; k < 30'000; ++k) {
    expected.push_back(std::to_string(k * 7919 % 30'000));
    labels += expected.back() + "," + expected[expected.size() / 2] + ",";
  }
  EXPECT_EQ(label_names(R"({"text": "", "labels": [)" + labels + "0]}"), expected);
}

TEST(Jsonl, ALineHasAtMost65536Labels) {
  const std::string begin = R"({"text": "", "labels": [)";
  std::string labels = "1";
  for (int k = 1; k < 65'536; ++k) labels += ",1";
  EXPECT_EQ(label_names(begin + labels + "]}"), (std::vector<std::string>{"1"}));
  expect_error(begin + labels + ",2]}", begin.size() + labels.size() + 2, "more than 65536 labels");
}

TEST(Jsonl, TheKindOfLabelsIsDetectedFromTheFirstLines) {
  EXPECT_EQ(kind_of(R"({"text": ""})"), LabelKind::binary);
  EXPECT_EQ(kind_of("{\"text\": \"\", \"label\": 1}\n{\"text\": \"\", \"label\": \"-1\"}"),
            LabelKind::binary);
  EXPECT_EQ(kind_of("{\"text\": \"\", \"label\": 1}\n{\"text\": \"\", \"label\": 2}"), LabelKind::classes);
  EXPECT_EQ(kind_of("{\"text\": \"\", \"label\": \"spam\"}\n{\"text\": \"\"}"), LabelKind::classes);
  EXPECT_EQ(kind_of("{\"text\": \"\", \"label\": 7}\n{\"text\": \"\", \"labels\": []}"), LabelKind::topics);
}

TEST(Jsonl, TimesAreSecondsOrIso8601) {
  const Examples rows = read(R"({"text": "", "time": 541350061.79}
{"text": "", "time": "1987-02-26T15:01:01.79Z"}
{"text": "", "time": 0}
{"text": "", "time": -0.5}
{"text": "", "time": null})");
  EXPECT_EQ(rows.time(0), 541350061);
  EXPECT_EQ(rows.time(1), 541350061);
  EXPECT_EQ(rows.time(2), 0);
  EXPECT_EQ(rows.time(3), -1);
  EXPECT_EQ(rows.time(4), Examples::no_time);
}

TEST(Jsonl, UnknownKeysAreIgnored) {
  const Examples rows =
      read(R"({"meta": {"a": [1, {"b": [null, true, "\"}"]}]}, "te\u0078t": "a", "": -1e5})");
  EXPECT_EQ(features(rows, 0), features(read(R"({"text": "a"})"), 0));
}

TEST(Jsonl, AFirstLineLongerThanThePeekedBytesGivesTheDimension) {
  std::string line = "{\"x\": [0";
  for (int k = 1; k < 50'000; ++k) line += ", 0";
  EXPECT_EQ(dimension_of(line + "]}\n"), 50'000U);
  EXPECT_EQ(read(line + "]}\n" + line + "]}").size(), 2U);
}

TEST(Jsonl, ErrorsInJsonNameTheColumn) {
  expect_error(R"({"text": "a")", 13, "expected } at the end of the line");
  expect_error(R"({"text": "a"}])", 15, "text after it");
  expect_error(R"({"text": "a"} {"text": "b"})", 15, "one object a line");
  expect_error(R"({"text": "a"}})", 14, "one object a line");
  expect_error(R"({"text": "a})", 10, "a string that does not end");
  expect_error("{\"text\": \"a\xff\"}", 12, "not UTF-8");
  expect_error("{\"text\": \"\xed\xa0\x80\"}", 11, "not UTF-8");
  expect_error("{\"text\": \"a\tb\"}", 12, "a control character in a string");
  expect_error(R"({"text": "a" "label": 1})", 14, "a comma, colon, quote or bracket");
  expect_error(R"({"text" "a"})", 9, "a comma, colon, quote or bracket");
  expect_error(R"({"text": "a",})", 14, "a comma, colon, quote or bracket");
  expect_error(R"({text: 1})", 2, "a comma, colon, quote or bracket");
  expect_error(R"({"text":})", 9, "a comma, colon, quote or bracket");
  expect_error(R"({"x": [1, 2})", 12, "a comma, colon, quote or bracket");
  expect_error("[1, 2]", 1, "expected an object");
  expect_error("7", 1, "expected an object");
  expect_error(R"({"te\ud800xt": "a"})", 2, "half of a surrogate pair");
}

TEST(Jsonl, ValuesOfUnknownKeysMustBeJson) {
  expect_error(R"({"text": "a", "junk": [1, 2}})", 28, "a comma, colon, quote or bracket");
  expect_error(R"({"text": "a", "junk": [1,, 2]})", 26, "a comma, colon, quote or bracket");
  expect_error(R"({"text": "a", "junk": {"a": 1]})", 30, "a comma, colon, quote or bracket");
  expect_error(R"({"text": "a", "junk": tru})", 23, "not true or false");
  expect_error(R"({"text": "a", "junk": nul})", 23, "not null");
  expect_error(R"({"text": "a", "junk": 01})", 23, "not a number");
  expect_error(R"({"text": "a", "junk": 1e999})", 23, "too large");
  expect_error(R"({"text": "a", "junk": "\ud800"})", 23, "half of a surrogate pair");
  expect_error(R"({"text": "a", "junk": {"\q": 1}})", 24, "an invalid escape");
  const std::string deep(100'000, '[');
  expect_error(R"({"text": "a", "junk": )" + deep + std::string(100'000, ']') + "}", 223, "deeper than 200");
}

TEST(Jsonl, ErrorsInInstancesNameTheColumn) {
  expect_error("{}", 1, "'text', 'x' or 'features'");
  expect_error(R"({"label": 1})", 1, "'text', 'x' or 'features'");
  expect_error(R"({"text": 5})", 10, "'5' is not a string");
  expect_error(R"({"text": ["a", null]})", 16, "'null' is not a string");
  expect_error(R"({"text": {"a": {}}})", 16, "is not a string");
  expect_error(R"({"text": "\ud800 \x"})", 10, "half of a surrogate pair");
  expect_error(R"({"text": "a", "text": "a"})", 23, "'text' occurs twice");
  expect_error(R"({"text": "a", "x": [1]})", 20, "beside other features");
  expect_error(R"({"text": "a", "features": [[1, 1]]})", 27, "beside other features");
  expect_error(R"({"x": 5})", 7, "an array of numbers");
  expect_error(R"({"x": [1, "2"]})", 11, "not a number");
  expect_error(R"({"x": [1, NaN]})", 11, "'NaN' is not a number");
  expect_error(R"({"x": [1, -1e400]})", 11, "too large");
  expect_error(R"({"features": "a"})", 14, "names and values, or pairs");
  expect_error(R"({"features": {"a": [1]}})", 20, "feature 'a' is not a number, a string");
  expect_error(R"({"features": [7]})", 15, "a pair of index and value");
  expect_error(R"({"features": [[7]]})", 15, "a pair of index and value");
  expect_error(R"({"features": [[7, 1, 1]]})", 22, "more than an index and a value");
  expect_error(R"({"features": [["a", 1]]})", 16, "index '\"a\"' is not a number");
  expect_error(R"({"features": [[-1, 1]]})", 16, "accepted: 0 to 134217727");
  expect_error(R"({"features": [[0.5, 1]]})", 16, "accepted: 0 to 134217727");
  expect_error(R"({"features": [[134217728, 1]]})", 16, "accepted: 0 to 134217727");
  expect_error(R"({"features": [[7, 1], [7, 2]]})", 14, "the index 7 occurs twice");
}

TEST(Jsonl, ErrorsInLabelsIdsAndTimesNameTheColumn) {
  expect_error(R"({"text": "", "label": 0.5})", 23, "not a whole number");
  expect_error(R"({"text": "", "label": [1]})", 23, "a string, a whole number, true or false");
  expect_error(R"({"text": "", "label": ""})", 23, "is empty");
  expect_error(R"({"text": "", "label": "a\tb"})", 23, "control characters");
  expect_error(R"({"text": "", "labels": "a"})", 24, "expected an array");
  expect_error(R"({"text": "", "labels": ["a", null]})", 30, "a string, a whole number, true or false");
  expect_error(R"({"text": "", "label": 1, "labels": [1]})", 36, "'labels' beside 'label'");
  expect_error(R"({"text": "", "labels": [], "label": 1})", 37, "'label' beside 'labels'");
  expect_error(R"({"text": "", "id": []})", 20, "a string or a number");
  expect_error(R"({"text": "", "time": "noon"})", 22, "1987-02-26T15:01:01Z");
  expect_error(R"({"text": "", "time": 1e300})", 22, "seconds since 1970");
  expect_error(R"({"text": "", "time": []})", 22, "not a number");
}

TEST(Jsonl, ARecordOfAnotherKindThanTheFirstIsRefused) {
  const auto error = [](const std::string& first, const std::string& second) {
    const ParseError found = error_of(first + "\n" + second, jsonl);
    EXPECT_EQ(found.line, 2U);
    return std::to_string(found.column) + ": " + found.why;
  };
  EXPECT_EQ(error(R"({"x": [1, 2]})", R"({"x": [1]})"),
            "7: x has length 1, and that of the first instance is 2");
  EXPECT_EQ(error(R"({"x": [1, 2]})", R"({"text": ""})"),
            "10: 'text' or 'features' with names in a file that began with 'x'");
  EXPECT_EQ(error(R"({"text": ""})", R"({"features": []})"),
            "14: 'features' with indices in a file that began with 'text' or 'features' with names");
  EXPECT_EQ(error(R"({"features": []})", R"({"x": [1]})"),
            "7: 'x' in a file that began with 'features' with indices");
}

TEST(Jsonl, MalformedLinesCanBeSkipped) {
  StreamOptions skipping{
      .format = "jsonl", .unlabelled = Unlabelled::accepted, .skipped = std::make_shared<Skipped>()};
  const Examples rows =
      read("{\"x\": [1,]}\n{\"x\": [1, 2]}\n{\"x\": [1]}\n{\"x\": [3, 4]}\n{\"x\": ", skipping);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.line(0), 2U);
  EXPECT_EQ(rows.line(1), 4U);
  ASSERT_EQ(skipping.skipped->count, 3U);
  EXPECT_EQ(skipping.skipped->first[0].line, 1U);
  EXPECT_EQ(skipping.skipped->first[1].line, 3U);
  EXPECT_EQ(skipping.skipped->first[2].line, 5U);
}

TEST(Jsonl, ThreadsAndChunksChangeNothing) {
  std::string lines;
  for (int k = 0; k < 2000; ++k) {
    lines += "{\"id\": " + std::to_string(k) + ", \"text\": \"word" + std::to_string(k % 17) +
             " \\u00e9 w\", \"label\": " + (k % 3 == 0 ? "1" : "-1") +
             (k % 2 == 0 ? ", \"time\": 5}\n" : "}\r\n");
  }
  const Examples expected = read(lines);
  for (const std::size_t chunk : {1U, 64U, 1000U}) {
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_TRUE(test::same(read(lines, {.format = "jsonl", .threads = threads, .chunk = chunk}), expected));
    }
  }
}

TEST(Jsonl, a_line_without_a_label_is_malformed_or_left_out_and_counted) {
  const std::string lines =
      "{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\"}\n{\"text\": \"c\", \"label\": null}\n";
  const ParseError error = error_of(lines, {.format = "jsonl"});
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.why.find("no label: `unlabelled` skip"), 0U) << error.why;
  const TemporaryFile file(lines);
  const auto stream = open_stream(file.path(), {.format = "jsonl", .unlabelled = Unlabelled::skipped});
  Examples block;
  ASSERT_TRUE(stream->next(block).value_or(false));
  EXPECT_EQ(block.size(), 1U);
  EXPECT_FALSE(stream->next(block).value_or(true));
  ASSERT_EQ(stream->notes().size(), 1U);
  EXPECT_NE(stream->notes()[0].find("2 examples without a label were left out"), std::string::npos);
}

TEST(Jsonl, keys_have_the_names_that_are_told) {
  StreamOptions options{.format = "jsonl"};
  options.table = {.label_column = "kind", .id_column = "key", .text_columns = {"body"}};
  const Examples told = read("{\"body\": \"a b\", \"kind\": 1, \"key\": \"k7\"}\n", options);
  const Examples usual = read("{\"text\": \"a b\", \"label\": 1, \"id\": \"k7\"}\n");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(features(told, 0), features(usual, 0));
  EXPECT_EQ(told.id(0), "k7");
  const ParseError error = error_of("{\"boddy\": \"a b\", \"kind\": 1}\n", options);
  EXPECT_EQ(error.why, "no key 'body': did you mean 'boddy'? its other keys: 'boddy'");
}

}  // namespace
}  // namespace askfew

// Instances as text and numbers, and peeks: the same records and answers as lines of JSON have.

#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "askfew/sessions/session_ledger.h"

#include "tests/unit/live.h"
#include "tests/unit/memory_file.h"

namespace askfew {
namespace {

using nlohmann::json;

SessionSettings settings() {
  return {.config = {.sampler = parse_preset("sel-p"), .seed = 1}, .labels = {}};
}

/// A session with a ledger.
struct Kept {
  MemoryFile file;
  SessionLedger live = open_session_ledger(file.path(), settings(), SettingsMismatch::is_an_error, nullptr);
  Recorder recorder{live, false};

  std::string lines(const std::vector<std::string>& all, std::int64_t time) {
    std::string joined;
    for (const json& answer : answers_to(recorder, all, time)) joined += answer.dump() + "\n";
    return joined;
  }
  std::string instances(const std::vector<Instance>& all, std::int64_t time) {
    std::string answers;
    recorder.answer(std::span<const Instance>(all), time, answers);
    std::string joined;
    for (std::size_t at = 0; at < answers.size(); at = answers.find('\n', at) + 1)
      joined += json::parse(answers.substr(at, answers.find('\n', at) - at)).dump() + "\n";
    return joined;
  }
};

std::vector<double> numbers_of(std::mt19937& random, std::size_t size) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < size; ++k) {
    const double size_of_number = std::pow(10, static_cast<double>(random() % 20) - 10);
    numbers.push_back(random() % 5 == 0 ? 0.0 : (static_cast<double>(random()) / 4e9 - 0.5) * size_of_number);
  }
  return numbers;
}

TEST(Instances, dense_numbers_are_recorded_and_answered_as_their_line_is) {
  Kept by_lines;
  Kept direct;
  std::mt19937 random(1);
  for (int k = 0; k < 300; ++k) {
    std::vector<double> x = numbers_of(random, 7);
    if (k == 5) x[2] = -0.0;
    if (k == 6) x[3] = std::numeric_limits<double>::denorm_min();
    std::string line = "{\"id\":" + std::to_string(k) + ",\"x\":[";
    for (std::size_t i = 0; i < x.size(); ++i) line += (i == 0 ? "" : ",") + fmt::format("{}", x[i]);
    line += "]}";
    ASSERT_EQ(direct.instances({{.id = k, .content = std::span<const double>(x)}}, k),
              by_lines.lines({line}, k));
    const std::string label = json{{"id", k}, {"label", x[0] > 0 ? 1 : -1}}.dump();
    ASSERT_EQ(direct.lines({label}, k), by_lines.lines({label}, k));
  }
  EXPECT_EQ(direct.file.bytes(), by_lines.file.bytes());
  EXPECT_GT(direct.live.session->tally().updates, 3);
}

TEST(Instances, sparse_numbers_are_recorded_and_answered_as_their_line_is) {
  Kept by_lines;
  Kept direct;
  std::mt19937 random(2);
  for (int k = 0; k < 300; ++k) {
    const std::vector<double> values = numbers_of(random, 4);
    const auto first = static_cast<std::uint32_t>(random() % 1000);
    const std::vector<std::uint32_t> indices{first + 5, first, first + 1000, first + 2};  // in any order
    std::string line = "{\"id\":\"i" + std::to_string(k) + "\",\"features\":[";
    for (std::size_t i = 0; i < values.size(); ++i)
      line += (i == 0 ? "" : ",") + fmt::format("[{},{}]", indices[i], values[i]);
    line += "]}";
    const std::string id = "i" + std::to_string(k);
    ASSERT_EQ(direct.instances({{.id = id, .content = Instance::Sparse{indices, values}}}, k),
              by_lines.lines({line}, k));
    const std::string label = json{{"id", id}, {"label", values[0] > 0 ? 1 : -1}}.dump();
    ASSERT_EQ(direct.lines({label}, k), by_lines.lines({label}, k));
  }
  EXPECT_EQ(direct.file.bytes(), by_lines.file.bytes());
}

TEST(Instances, texts_are_recorded_and_answered_as_their_line_is) {
  Kept by_lines;
  Kept direct;
  const std::vector<std::string> texts{"a rook, a king", "", "\"quoted\" \\ and\ta tab\nand a line",
                                       "Käse \xF0\x9F\x98\x80", "ctrl \x01\x1f\x7f"};
  for (int k = 0; k < 40; ++k) {
    const std::string& text = texts[static_cast<std::size_t>(k) % texts.size()];
    const std::string id = "the \"" + std::to_string(k) + "\"";
    const std::string line = "{\"id\":" + json(id).dump() + ",\"text\":" + json(text).dump() + "}";
    ASSERT_EQ(direct.instances({{.id = id, .content = std::string_view(text)}}, k),
              by_lines.lines({line}, k));
  }
  EXPECT_EQ(direct.file.bytes(), by_lines.file.bytes());
}

TEST(Instances, what_no_line_could_say_is_refused) {
  Kept kept;
  const std::vector<double> good{1, 2};
  const std::vector<double> bad{1, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<double> none;
  const std::vector<std::uint32_t> indices{3, 3};
  const std::vector<std::uint32_t> beyond{1, 4'294'967'295};
  const std::string before = kept.file.bytes();
  const std::vector<Instance> wrong{{.id = 1, .content = std::span<const double>(bad)},
                                    {.id = 2, .content = std::span<const double>(none)},
                                    {.id = 3, .content = Instance::Sparse{indices, good}},
                                    {.id = 4, .content = Instance::Sparse{indices, none}},
                                    {.id = 5, .content = Instance::Sparse{beyond, good}},
                                    {.id = 6, .content = std::string_view("\xff")},
                                    {.id = "\xff", .content = std::span<const double>(good)}};
  for (const Instance& instance : wrong)
    EXPECT_NE(kept.instances({instance}, 1).find("\"error\""), std::string::npos);
  EXPECT_EQ(kept.file.bytes(), before);
  EXPECT_NE(kept.instances({{.id = 7, .content = std::span<const double>(good)}}, 1).find("\"ask\""),
            std::string::npos);
}

TEST(Peek, tells_the_decision_of_the_next_instance_and_changes_nothing) {
  for (const char* const kind : {"one task", "classes", "topics", "together"}) {
    const std::string what = kind;
    ModelConfig config{.sampler = parse_preset(what == "one task" ? "auto" : "sel-p"), .seed = 1};
    if (what == "classes") config.labels = {LabelPlan::Kind::one_of, {"a", "b", "c"}};
    if (what == "topics" || what == "together") config.labels = {LabelPlan::Kind::one_per_label, {"a", "b"}};
    config.together = what == "together";
    if (what == "one task") {
      config.sampler.spending.budget = parse_budget("100");
      config.sampler.spending.budget.horizon = 1000;
      config.sampler.spending.audit = 0.01;
    }
    Live peeked(config);
    Live plain(config);
    for (int k = 0; k < 200; ++k) {
      const std::string instance =
          json{{"id", k}, {"text", "word" + std::to_string(k * k % 17) + " word" + std::to_string(k % 11)}}
              .dump();
      const Snapshot before = peeked.session().snapshot();
      json peek = peeked("{\"peek\": " + instance + " }");
      EXPECT_EQ(peeked.session().snapshot(), before);
      json answer = peeked(instance);
      EXPECT_EQ(answer, plain(instance));
      const auto without_why = [](json& decision) { decision.erase("why"); };
      without_why(answer);
      if (answer.contains("topics")) std::ranges::for_each(answer["topics"], without_why);
      ASSERT_EQ(peek["peek"], answer) << what << k;
      json label{{"id", k}};
      if (config.labels.has_topics()) {
        label["labels"] = {{"a", k % 3 == 0}, {"b", k % 5 == 0}};
      } else {
        label["label"] =
            what == "classes" ? json(std::string(1, static_cast<char>('a' + k % 3))) : json(k % 3 - 1);
      }
      json receipt = peeked(label.dump());
      json expected = plain(label.dump());
      receipt.erase("line");  // peeks are lines, too
      expected.erase("line");
      EXPECT_EQ(receipt, expected);
    }
    EXPECT_EQ(peeked.model(), plain.model());
  }
}

TEST(Peek, fixes_nothing_and_is_not_recorded) {
  Kept kept;
  const std::string before = kept.file.bytes();
  EXPECT_NE(kept.lines({R"({"peek": {"id": 1, "x": [1, 2, 3]}})"}, 1).find("\"ask\""), std::string::npos);
  EXPECT_EQ(kept.file.bytes(), before);
  EXPECT_NE(kept.lines({R"({"id": 1, "text": "another shape"})"}, 1).find("\"ask\""), std::string::npos);
  EXPECT_NE(kept.lines({R"({"peek": {"id": 1, "x": [1, 2, 3]}})"}, 1).find("\"error\""), std::string::npos);
}

TEST(Peek, what_is_no_instance_is_an_error) {
  Kept kept;
  for (const std::string line :
       {R"({"peek": true})", R"({"peek": {"id": 1, "label": 1}})", R"({"peek": {"text": "no id"}})",
        R"({"peek": {"id": 1, "text": "a"}, "id": 2})", R"({"peek": {"peek": {"id": 1, "text": "a"}}})",
        R"({"peek": {"id": 1, "text": "a", "label": 1}})", R"({"peek": {}})",
        R"({"peek": {"id": 1, "x": []}})"}) {
    EXPECT_NE(kept.lines({line}, 1).find("\"error\""), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace askfew

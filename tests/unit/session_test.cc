// A session turns lines with their times into answers and a model; grouping of lines changes nothing.

#include "askfew/sessions/session.h"

#include <gtest/gtest.h>

#include "askfew/estimates/quality_monitor.h"
#include "askfew/sessions/even_clock.h"
#include "askfew/sessions/line_buffer.h"
#include "askfew/system/memory_limit.h"

#include "tests/unit/live.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::int64_t second = 1'000'000;

ModelConfig config_of(const std::string& sampler = "sel-p") {
  return {.sampler = parse_preset(sampler), .seed = 1};
}

std::vector<std::string> some_lines() {
  std::vector<std::string> lines;
  const std::string words[] = {"chess", "go", "rook", "stone", "board", "king", "white", "black"};
  for (int k = 0; k < 120; ++k) {
    std::string text;
    for (int j = 0; j < 4; ++j)
      text += words[(k * 7 + j * j * 3 + k / 5) % 8] + std::to_string(k * j % 11) + " ";
    lines.push_back(json{{"id", k}, {"text", text}}.dump());
    if (k >= 10) lines.push_back(json{{"id", k - 10}, {"label", k % 3 == 0 ? 1 : -1}}.dump());
  }
  return lines;
}

TEST(Session, answers_an_instance_and_takes_its_label_later) {
  Live live(config_of());
  const json answer = live(R"({"id": "a", "x": [1, 2]})", 10 * second);
  EXPECT_EQ(answer["id"], "a");
  EXPECT_EQ(answer["prediction"], -1);
  EXPECT_EQ(answer["margin"], 0);
  EXPECT_EQ(answer["ask"], true);
  EXPECT_EQ(answer["probability"], 1);
  EXPECT_TRUE(answer["why"].is_string());
  EXPECT_EQ(live(R"({"id": "a", "label": 1})", 12 * second),
            (json{{"id", "a"}, {"outcome", "learned"}, {"updated", true}, {"latency", 2}}));
  EXPECT_EQ(live(R"({"id": "b", "x": [1, 2]})", 12 * second)["margin"], 5);
}

TEST(Session, grouping_lines_changes_nothing_even_if_a_line_is_refused) {
  ModelConfig config = config_of();
  config.features.text.dictionary = true;
  config.features.tf_idf = true;
  std::vector<std::string> lines = some_lines();
  // The first inserted line is refused, because its id is already waiting: the dictionary must not get its
  // words.
  lines.insert(lines.begin() + 1, R"({"id": 0, "text": "unseen words that come in the same group"})");
  lines.insert(lines.begin() + 2, R"({"id": "next", "text": "come unseen group"})");
  Live one_by_one(config);
  std::vector<json> answers;
  for (const std::string& line : lines) answers.push_back(one_by_one(line));
  Live together(config);
  EXPECT_EQ(together.group(lines), answers);
  EXPECT_EQ(together.model(), one_by_one.model());
  EXPECT_GT(one_by_one.session().model().tally(0).updates, 10);
}

TEST(Session, spellings_of_the_same_id_are_equal_and_a_number_differs_from_a_string) {
  Live live(config_of());
  EXPECT_EQ(live("{\"id\": \"caf\\u00e9\", \"x\": [1]}")["ask"], true);
  EXPECT_EQ(live(R"({"id": 7, "x": [1]})")["ask"], true);
  EXPECT_EQ(live(R"({"id": "7", "label": 1})")["outcome"], "unknown");
  EXPECT_EQ(live(R"({"label": 1, "id": 7})")["outcome"], "learned");
  EXPECT_EQ(live("{\"id\": \"caf\xc3\xa9\", \"label\": 1}")["outcome"], "learned");
}

TEST(Session, a_refused_line_is_reported_with_line_and_id) {
  Live live(config_of("dkm2"));
  EXPECT_EQ(live(R"({"id": 1, "x": [3, 4]})")["error"],
            "the instance has norm 5, this sampler needs norm 1; see `normalize`");
  EXPECT_EQ(live(R"({"id": 1, "x": [0.6, 0.8]})")["ask"], true);
  EXPECT_EQ(live(R"({"id": 1, "x": [0.8, 0.6]})"),
            (json{{"error", "the id waits for its label already, since round 1"}, {"id", 1}, {"line", 3}}));
  EXPECT_EQ(live(R"({"id": 2, "x": [1]})"),
            (json{{"error", "column 16: x has length 1, and that of the first instance is 2"},
                  {"id", 2},
                  {"line", 4}}));
  EXPECT_EQ(live(R"({"id": 3, "x": [1, "2"]})")["id"], 3);
  EXPECT_FALSE(live("nonsense").contains("id"));
  EXPECT_TRUE(live(R"({"x": [1, 0]})").contains("error"));
  EXPECT_TRUE(live(R"({"label": 1})").contains("error"));
  EXPECT_TRUE(live(R"({"id": 9})").contains("error"));
  EXPECT_TRUE(live(R"({"id": 9, "x": [1, 0], "label": 1})").contains("error"));
  EXPECT_TRUE(live(R"({"id": 1, "label": 7})").contains("error"));
  EXPECT_TRUE(live(R"({"id": 1, "label": "yes"})").contains("error"));
  EXPECT_EQ(live(" \t").size(), 0);
  EXPECT_EQ(live(R"({"id": 1, "label": 1})")["outcome"], "learned");
}

TEST(Session, a_corrected_label_is_learned_as_one_more_example) {
  Live live(config_of());
  live(R"({"id": 1, "x": [1]})");
  EXPECT_EQ(live(R"({"id": 1, "label": 1})")["updated"], true);
  EXPECT_EQ(live(R"({"id": 1, "label": 1})"),
            (json{{"id", 1}, {"outcome", "repeated"}, {"updated", false}, {"latency", 0}}));
  EXPECT_EQ(live.session().model().tally(0).updates, 1);
  EXPECT_EQ(live(R"({"id": 1, "label": -1})")["outcome"], "corrected");
  EXPECT_EQ(live.session().model().tally(0).updates, 2);
  const auto loaded = model_of(decode_model(live.model()));  // more updates than labels asked
  EXPECT_EQ(loaded.tally(0).updates, 2);
}

TEST(Session, classes_are_predicted_and_labelled_by_name) {
  ModelConfig config = config_of();
  config.labels = {LabelPlan::Kind::one_of, {"red", "green", "blue"}};
  Live live(config);
  EXPECT_EQ(live(R"({"id": 1, "x": [1, 0]})")["prediction"], "red");
  EXPECT_EQ(live(R"({"id": 1, "label": "blue"})")["outcome"], "learned");
  EXPECT_EQ(live(R"({"id": 2, "x": [1, 0]})")["prediction"], "blue");
  EXPECT_TRUE(live(R"({"id": 2, "label": "pink"})").contains("error"));
}

TEST(Session, with_positive_labels_a_label_must_be_a_name) {
  ModelConfig config = config_of();
  config.labels = {LabelPlan::Kind::any_of, {"spam", "scam"}};
  Live live(config);
  live(R"({"id": 1, "x": [1]})");
  EXPECT_TRUE(live(R"({"id": 1, "label": true})").contains("error"));
  EXPECT_EQ(live(R"({"id": 1, "label": "scam"})")["updated"], true);
  EXPECT_EQ(live(R"({"id": 2, "x": [1]})")["prediction"], 1);
}

TEST(Session, a_time_that_goes_back_counts_as_standing_still) {
  Session session(make_model(config_of(), {.exactness = Exactness::exact}), {.max_age = 100 * second});
  const auto take = [&](const std::string& line, std::int64_t time) {
    const std::string padded = line + std::string(IncomingReader::padding, ' ');
    Incoming incoming;
    session.reader().read(std::string_view(padded).substr(0, line.size()), 1, incoming);
    return session.take(incoming, time);
  };
  const auto receipt = [&](const std::string& line, std::int64_t time) {
    return std::get<LabelReceipt>(take(line, time));
  };
  take(R"({"id": 1, "x": [1]})", 1000 * second);
  EXPECT_TRUE(std::get<Decision>(take(R"({"id": 2, "x": [1]})", 400 * second)).asked);
  EXPECT_EQ(receipt(R"({"id": 2, "label": 1})", 450 * second).latency, 0);
  EXPECT_EQ(receipt(R"({"id": 1, "label": 1})", 1100 * second).outcome, LabelOutcome::learned);
  take(R"({"id": 3, "x": [-1]})", 1100 * second);
  EXPECT_EQ(receipt(R"({"id": 3, "label": 1})", 5000 * second).outcome, LabelOutcome::expired);
}

TEST(Session, a_report_has_the_counts) {
  Live live(config_of(), {.max_rounds = 2});
  for (int k = 0; k < 6; ++k) live(json{{"id", k}, {"x", {1}}}.dump());
  live(R"({"id": 5, "label": null})");
  live(R"({"id": 0, "label": 1})");
  live(R"({"id": "x", "label": 1})");
  const json report = live(R"({"report": true})")["report"];
  EXPECT_EQ(report["rounds"], 6);
  EXPECT_EQ(report["asked"], 6);
  EXPECT_EQ(report["expected_asked"], 6);
  EXPECT_EQ(report["pending"], 2);
  EXPECT_EQ(report["expired"], 3);
  EXPECT_EQ(report["labels"]["skipped"], 1);
  EXPECT_EQ(report["labels"]["expired"], 1);
  EXPECT_EQ(report["labels"]["unknown"], 1);
}

TEST(Session, a_report_counts_questions_that_expired_since_the_last_line) {
  Live live(config_of(), {.max_age = 100 * second});
  live(R"({"id": 1, "x": [1]})", 1000 * second);
  EXPECT_EQ(live(R"({"report": true})", 1100 * second)["report"]["pending"], 1);
  const json report = live(R"({"report": true})", 1101 * second)["report"];
  EXPECT_EQ(report["pending"], 0);
  EXPECT_EQ(report["expired"], 1);
  EXPECT_EQ(live(R"({"id": 1, "label": 1})", 1101 * second)["outcome"], "expired");
}

/// The estimates of a report, compared with labels that are all known in the end.
TEST(Session, intervals_contain_the_truth_with_late_lost_and_corrected_labels) {
  ModelConfig config = config_of("sel-p");
  config.sampler.spending.audit = 0.2;
  Live live(config);
  const auto label_of = [](int k) { return k * 7919 % 101 > 50 ? 1 : -1; };
  int mistakes = 0;
  std::vector<int> asked;
  const auto report = [&] { return live(R"({"report": true})")["report"]["estimate"]["whole"]["error"]; };
  for (int k = 0; k < 2000; ++k) {
    const double a = k * 7919 % 101 - 50;
    const json answer = live(json{{"id", k}, {"x", {a / 50, k * 104729 % 103 / 50.0, 1}}}.dump());
    mistakes += answer["prediction"] != label_of(k) ? 1 : 0;
    if (answer["ask"] == true) asked.push_back(k);
    if (asked.size() > 20) {  // some labels are wrong at first, some are declined
      const int id = asked[static_cast<std::size_t>(k) % asked.size()];
      std::erase(asked, id);
      if (id % 9 == 0) live(json{{"id", id}, {"label", -label_of(id)}}.dump());
      live(json{{"id", id}, {"label", id % 10 == 0 ? json() : json(label_of(id))}}.dump());
    }
    const json error = report();
    ASSERT_LE(error["low"].get<double>() * (k + 1), mistakes + 1e-9);
    ASSERT_GE(error["high"].get<double>() * (k + 1), mistakes - 1e-9);
  }
  EXPECT_GT(mistakes, 20);
  const json before = report();
  for (const int id : asked) live(json{{"id", id}, {"label", label_of(id)}}.dump());
  EXPECT_LT(report()["high"], before["high"]);  // lost labels came after all
}

TEST(Session, immediate_labels_give_the_estimates_of_a_run) {
  ModelConfig config = config_of("sel-p");
  config.sampler.spending.audit = 0.01;
  Live live(config);
  QualityMonitor watch(0.01);  // as in a run
  constexpr int rounds = 4100;
  for (int k = 0; k < rounds; ++k) {
    const json answer = live(json{{"id", k}, {"x", {(k * 7919 % 101 - 50) / 50.0, 1}}}.dump());
    const int truth = k * 7919 % 101 > 60 ? 1 : -1;
    const bool asked = answer["ask"] == true;
    watch.add({.query = {.score = {.margin = answer["margin"], .norm = 1},
                         .probability = answer["probability"],
                         .asked = asked},
               .prediction = answer["prediction"] == 1 ? 1U : 0U,
               .label = truth == 1 ? 1U : 0U});
    if (asked) live(json{{"id", k}, {"label", truth}}.dump());
  }
  const json report = live(R"({"report": true})")["report"]["estimate"];
  const Quality recent = watch.estimate().recent();
  EXPECT_EQ(report["whole"]["rounds"], rounds);
  EXPECT_EQ(report["recent"]["rounds"], recent.rounds);
  for (const auto& [found, expected] :
       {std::pair{report["whole"], watch.estimate().whole()}, {report["recent"], recent}}) {
    EXPECT_NEAR(found["error"]["value"], expected.error.value, 1e-9);
    EXPECT_NEAR(found["error"]["low"], expected.error.interval.low, 1e-9);
    EXPECT_NEAR(found["error"]["high"], expected.error.interval.high, 1e-9);
    EXPECT_NEAR(found["f1"]["low"], expected.f1.interval.low, 1e-9);
  }
}

/// A stream whose teacher disappears: from some round on labels are random.
std::vector<json> watched(Live& live, int rounds, int delay) {
  std::vector<json> changes;
  const auto label_of = [](int k) {
    return (k < 3000 ? k * 7919 % 101 > 50 : k * 104729 % 103 > 51) ? 1 : -1;
  };
  for (int k = 0; k < rounds; ++k) {
    const auto answers = live.group({json{{"id", k}, {"x", {(k * 7919 % 101 - 50.5) / 50}}}.dump()});
    EXPECT_EQ(answers[0]["id"], k);
    for (std::size_t j = 1; j < answers.size(); ++j) changes.push_back(answers[j]["change"]);
    if (k >= delay) {
      const auto told = live.group({json{{"id", k - delay}, {"label", label_of(k - delay)}}.dump()});
      EXPECT_EQ(told.size(), 1);
    }
  }
  return changes;
}

TEST(Session, a_change_is_reported_once_after_the_answer_and_stays_in_the_report) {
  ModelConfig config = config_of("sel-p");
  config.sampler.spending.audit = 0.2;
  config.sampler.update = UpdatePolicy::mistake;
  for (const int delay : {1, 150}) {
    Live live(config);
    const std::vector<json> changes = watched(live, 5000, delay);
    const json estimate = live(R"({"report": true})")["report"]["estimate"];
    EXPECT_EQ(estimate["changes"], json(changes));
    EXPECT_TRUE(std::any_of(changes.begin(), changes.end(),
                            [](const json& change) {
                              return change["kind"] == "error_up" && change["round"] > 3000 &&
                                     change["since"] >= 2000;
                            }))
        << delay << json(changes);
    EXPECT_GT(estimate["next_labels"]["labels"], 500);
    EXPECT_LE(estimate["next_labels"]["low"], estimate["next_labels"]["gain"]);
    EXPECT_LE(estimate["next_labels"]["gain"], estimate["next_labels"]["high"]);
  }
}

TEST(Session, the_model_of_one_task_keeps_the_quality_monitor) {
  ModelConfig config = config_of("sel-p");
  config.sampler.spending.audit = 0.2;
  Live live(config);
  watched(live, 500, 3);
  const Model loaded = model_of(decode_model(live.model()));
  const json error = live(R"({"report": true})")["report"]["estimate"]["whole"]["error"];
  EXPECT_EQ(loaded.tasks[0].watch->estimate().whole().error.interval.high, error["high"]);
}

TEST(Session, an_instance_without_memory_for_its_question_is_refused_and_the_next_label_is_taken) {
  Live live(config_of("perc"), {.keep = 1}, std::make_shared<MemoryLimit>(50'000));
  int taken = 0;
  json answer;
  for (answer = live(R"({"id": 0, "x": [1, 2]})"); answer.contains("ask");
       answer = live(json{{"id", taken}, {"x", {1, 2}}}.dump()))
    ++taken;
  EXPECT_GT(taken, 20);
  EXPECT_EQ(answer["id"], taken);
  EXPECT_NE(answer["error"].get<std::string>().find("no memory for one more question"), std::string::npos);
  EXPECT_EQ(live(R"({"report": true})")["report"]["rounds"], taken);
  for (int k = 0; k < 12; ++k) EXPECT_EQ(live(json{{"id", k}, {"label", 1}}.dump())["outcome"], "learned");
  EXPECT_TRUE(live(R"({"id": "more", "x": [1, 2]})").contains("ask"));
  // From a group the lines that fit are taken.
  std::vector<std::string> group;
  for (int k = 0; k < 10; ++k) group.push_back(json{{"id", 1000 + k}, {"x", {1, 2}}}.dump());
  const auto answers = live.group(group);
  EXPECT_TRUE(answers.front().contains("ask"));
  EXPECT_TRUE(answers.back().contains("error"));
}

TEST(Session, a_margin_that_is_not_finite_does_not_end_the_session) {
  ModelConfig config = config_of("perc");
  config.sampler.learner = parse_learner("perceptron:rate=1e100");
  Live live(config);
  live(R"({"id": 1, "x": [1e30, 1]})");
  EXPECT_EQ(live(R"({"id": 1, "label": 1})")["updated"], true);
  const json answer = live(R"({"id": 2, "x": [1e150, 1e150]})");
  EXPECT_TRUE(answer.contains("ask")) << answer;
  // The update would make weights overflow: it is refused, and the stream continues.
  const json refused = live(R"({"id": 2, "label": -1})");
  EXPECT_NE(refused.value("error", "").find("too large"), std::string::npos) << refused;
  EXPECT_TRUE(live(R"({"id": 9, "x": [1, 1]})").contains("ask"));
}

TEST(EvenClock, never_goes_back) {
  const EvenClock clock;
  std::int64_t last = clock.now();
  for (int k = 0; k < 1000; ++k) {
    const std::int64_t now = clock.now();
    EXPECT_GE(now, last);
    last = now;
  }
}

/// The bytes of a pipe, cut anywhere.
std::vector<std::string> cut(const std::string& bytes, std::size_t step) {
  LineBuffer buffer;
  std::vector<std::string> lines;
  const auto keep = [&](std::span<const std::string_view> found) {
    lines.insert(lines.end(), found.begin(), found.end());
  };
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::span<char> room = buffer.room();
    const std::size_t size = std::min({step, bytes.size() - at, room.size()});
    bytes.copy(room.data(), size, at);
    keep(buffer.lines(size));
  }
  keep(buffer.last_line());
  return lines;
}

TEST(LineBuffer, gives_the_same_lines_wherever_the_bytes_are_cut) {
  const std::string bytes = "one\n\ntwo\r\n" + std::string(300, 'x') + "\nlast";
  for (const std::size_t step : {1U, 2U, 3U, 7U, 100U, 1000U})
    EXPECT_EQ(cut(bytes, step), (std::vector<std::string>{"one", "", "two", std::string(300, 'x'), "last"}));
}

TEST(LineBuffer, keeps_only_the_beginning_of_a_too_long_line) {
  constexpr std::size_t most = IncomingReader::longest_line;
  const std::string bytes = std::string(most, 'a') + "\n" + std::string(2 * most, 'b') + "\nc\n";
  const auto lines = cut(bytes, 1 << 16);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0].size(), most);
  EXPECT_GT(lines[1].size(), most);  // enough to detect that the line is too long
  EXPECT_LT(lines[1].size(), most + most / 2);
  EXPECT_EQ(lines[2], "c");
}

TEST(LineBuffer, a_carriage_return_at_a_cut_does_not_change_a_line) {
  constexpr std::size_t most = IncomingReader::longest_line;
  constexpr std::size_t step = 1 << 16;
  // The bytes are cut right after each '\r'.
  const std::string first = std::string(step - 2, 'x') + "\n";
  const auto fits = cut(first + std::string(most, 'a') + "\r\n", step);
  ASSERT_EQ(fits.size(), 2);
  EXPECT_EQ(fits[1].size(), most);
  const auto too_long = cut(first + std::string(most, 'b') + "\r" + std::string(step, 'b') + "\n", step);
  ASSERT_EQ(too_long.size(), 2);
  EXPECT_GT(too_long[1].size(), most);
}

}  // namespace
}  // namespace askfew

// A session of topics: a decision and a label for each topic of an instance, now or later, apart or together.

#include <gtest/gtest.h>

#include "askfew/models/round_loop.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/system/memory_limit.h"

#include "tests/unit/live.h"
#include "tests/unit/memory_file.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::int64_t second = 1'000'000;
const std::vector<std::string> topics{"wheat", "corn", "oil"};

ModelConfig config_of(const std::string& sampler = "sel-p", bool together = false) {
  ModelConfig config{.sampler = parse_preset(sampler), .seed = 1};
  config.labels = {LabelPlan::Kind::one_per_label, topics};
  config.together = together;
  return config;
}

std::vector<double> values_of(int k) {
  return {(k * 7919 % 101 - 50) / 50.0, (k * 104729 % 103 - 51) / 51.0, 1};
}

std::vector<Label> labels_of(int k) {
  const std::vector<double> x = values_of(k);
  const auto label = [](bool positive) { return positive ? Label::positive : Label::negative; };
  return {label(x[0] > 0), label(x[0] + x[1] > 0.5), label(x[1] > 0.2)};
}

std::string instance(int k) {
  return json{{"id", k}, {"x", values_of(k)}}.dump();
}

std::vector<std::string> names_of(int k) {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < topics.size(); ++t) {
    if (labels_of(k)[t] == Label::positive) names.push_back(topics[t]);
  }
  return names;
}

std::string labels(int k) {
  return json{{"id", k}, {"labels", names_of(k)}}.dump();
}

/// One row, with the interface of a Batch.
struct Row {
  std::vector<double> values;
  FeatureView x = FeatureView::dense(values);
  std::vector<Label> truth;

  explicit Row(int k) : values(values_of(k)), truth(labels_of(k)) {}
  [[nodiscard]] std::span<const FeatureView> instances() const { return {&x, 1}; }
  [[nodiscard]] static std::size_t size() { return 1; }
  [[nodiscard]] static bool is_timed() { return false; }
  [[nodiscard]] static std::int64_t time(std::size_t /*row*/) { return 0; }
  [[nodiscard]] std::span<const Label> labels(std::size_t /*row*/) const { return truth; }
};

/// Everything that a model has learned and counted, apart from the true labels, which only a run sees.
std::map<std::string, std::string> state_of(const Model& model) {
  std::map<std::string, std::string> state;
  for (const auto& [name, tensor] : snapshot_of(model).tensors) {
    if (name.find(".confusion") == std::string::npos)
      state[name].assign(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return state;
}

TEST(TopicsSession, immediate_labels_give_the_decisions_and_the_model_of_a_run) {
  for (const std::string sampler : {"sel-p", "lasec-d", "scaled-logistic"}) {
    for (const bool together : {false, true}) {
      ModelConfig config = config_of("sel-p", together);
      if (sampler == "scaled-logistic") {
        config.sampler.learner = parse_learner(sampler);
        config.sampler.rule = parse_rule("threshold");
        config.sampler.update = standard_policy(config.sampler.learner);
        config.sampler.spending.budget = parse_budget("60");
        config.sampler.spending.budget.horizon = 300;
      } else if (sampler != "sel-p") {
        config.sampler.learner = parse_learner("lasec");
      }
      Live live(config);
      Model model = make_model(config, {.exactness = Exactness::exact});
      RoundLoop loop(model.task_set());
      int asked = 0;
      for (int k = 0; k < 300; ++k) {
        const json answer = live(instance(k));
        std::vector<Round> rounds(topics.size());
        loop.run(Row(k), [&](std::size_t task, const FeatureView& /*x*/, const Round& round) {
          rounds[task] = round;
          return true;
        });
        bool is_opened = false;
        for (std::size_t t = 0; t < topics.size(); ++t) {
          const json& topic = answer["topics"][topics[t]];
          ASSERT_EQ(topic["ask"], rounds[t].query.asked) << k << topics[t];
          ASSERT_EQ(topic["margin"], rounds[t].query.score.margin);
          ASSERT_EQ(topic["probability"], rounds[t].query.probability);
          ASSERT_EQ(topic["prediction"] == 1, rounds[t].prediction == 1);
          ASSERT_EQ(topic.contains("why"), rounds[t].query.asked);
          is_opened |= rounds[t].query.asked;
        }
        ASSERT_EQ(answer["ask"].empty(), !is_opened);
        if (!is_opened) continue;
        ++asked;
        ++*model.opened;
        const json receipt = live(labels(k));
        for (std::size_t t = 0; t < topics.size(); ++t) {
          const bool is_named = std::ranges::count(names_of(k), topics[t]) > 0;
          ASSERT_EQ(receipt["outcomes"].contains(topics[t]), rounds[t].query.asked || is_named) << receipt;
        }
      }
      EXPECT_GT(asked, 20);
      EXPECT_EQ(state_of(live.session().model()), state_of(model)) << sampler << together;
    }
  }
}

TEST(TopicsSession, a_label_line_names_the_topics_or_all_of_them) {
  Live live(config_of("perc"));
  EXPECT_EQ(live(R"({"id": 1, "x": [1, 2]})")["ask"], json(topics));
  EXPECT_EQ(live(R"({"id": 1, "labels": {"wheat": true, "oil": null}})", 2 * second),
            (json{{"id", 1},
                  {"outcomes", {{"wheat", "learned"}, {"oil", "skipped"}}},
                  {"updated", {"wheat"}},
                  {"latency", 2}}));
  const json pending = live(R"({"pending": true})");
  ASSERT_EQ(pending["pending"].size(), 1);
  EXPECT_EQ(pending["pending"][0]["topics"].size(), 1);
  EXPECT_TRUE(pending["pending"][0]["topics"].contains("corn"));
  EXPECT_EQ(live(R"({"id": 1, "labels": ["wheat"]})")["outcomes"],
            (json{{"wheat", "repeated"}, {"corn", "learned"}, {"oil", "learned"}}));
  EXPECT_EQ(live(R"({"pending": true})")["waiting"], 0);
  EXPECT_EQ(live(R"({"id": 1, "labels": []})")["outcomes"],
            (json{{"wheat", "corrected"}, {"corn", "repeated"}, {"oil", "repeated"}}));
  EXPECT_EQ(live(R"({"id": 1, "x": [1, 2]})")["repeated"], true);
  live(R"({"id": 2, "x": [2, 1]})");
  EXPECT_EQ(live(R"({"id": 2, "labels": null, "unsure": true})")["outcomes"],
            (json{{"wheat", "unsure"}, {"corn", "unsure"}, {"oil", "unsure"}}));
  const json unknown = live(R"({"id": 9, "labels": ["oil"]})");
  EXPECT_EQ(unknown["outcomes"], (json{{"wheat", "unknown"}, {"corn", "unknown"}, {"oil", "unknown"}}));
  EXPECT_EQ(unknown["error"], "no instance with this id is known, or not any more");
  const json counts = live(R"({"report": true})")["report"];
  EXPECT_EQ(counts["opened"], 2);
  EXPECT_EQ(counts["labels"]["learned"], 3);
  EXPECT_EQ(counts["topics"]["oil"]["labels"]["skipped"], 1);
  EXPECT_EQ(counts["topics"]["wheat"]["labels"]["corrected"], 1);
}

TEST(TopicsSession, a_label_that_no_topic_has_is_refused_with_the_nearest_name) {
  Live live(config_of("perc"));
  live(R"({"id": 1, "x": [1, 2]})");
  const auto error = [&](const std::string& line) { return live(line).value("error", ""); };
  EXPECT_EQ(error(R"({"id": 1, "labels": ["wheat", "wheet"]})"),
            "column 1: label 'wheet' is not one of 'wheat', 'corn', 'oil': did you mean 'wheat'?");
  EXPECT_EQ(error(R"({"id": 1, "labels": {"oyl": true}})"),
            "column 1: label 'oyl' is not one of 'wheat', 'corn', 'oil': did you mean 'oil'?");
  EXPECT_NE(error(R"({"id": 1, "label": "wheat"})").find("this session has topics"), std::string::npos);
  EXPECT_NE(error(R"({"id": 1, "labels": {"oil": 1}})").find("expected true, false or null"),
            std::string::npos);
  EXPECT_NE(error(R"({"id": 1, "labels": {"oil": true, "oil": true}})").find("told twice"),
            std::string::npos);
  EXPECT_NE(error(R"({"id": 1, "labels": {}})").find("names no topic"), std::string::npos);
  EXPECT_NE(error(R"({"id": 1, "labels": "oil"})").find("expected an array"), std::string::npos);
  ModelConfig yes_no{.sampler = parse_preset("perc")};
  Live one(yes_no);
  one(R"({"id": 1, "x": [1, 2]})");
  EXPECT_NE(
      one(R"({"id": 1, "labels": {"oil": true}})")["error"].get<std::string>().find("session of topics"),
      std::string::npos);
}

/// A learner that scales instances keeps the last one, which is not the one whose label comes.
TEST(TopicsSession, a_late_label_is_learned_from_its_own_instance) {
  ModelConfig config{.sampler = {.learner = parse_learner("scaled-logistic"), .rule = parse_rule("always")}};
  config.sampler.update = standard_policy(config.sampler.learner);
  for (const bool of_classes : {false, true}) {
    config.labels = {of_classes ? LabelPlan::Kind::one_of : LabelPlan::Kind::one_per_label, topics};
    config.together = !of_classes;
    const std::string label = of_classes ? R"("label": "oil")" : R"("labels": ["oil"])";
    const auto margin = [&](Live& live, const char* x) {
      const json answer = live(fmt::format(R"({{"id": "{}", "x": {}}})", x, x));
      if (!of_classes) return answer["topics"]["oil"]["margin"].get<double>();
      return answer["prediction"] == "oil" ? answer["margin"].get<double>() : -1;
    };
    Live live(config);
    live(R"({"id": 0, "x": [1, 1]})");
    live(of_classes ? R"({"id": 0, "label": "corn"})" : R"({"id": 0, "labels": ["corn"]})");
    live(R"({"id": 1, "x": [1, 0]})");
    live(R"({"id": 2, "x": [0, 1]})");
    live(fmt::format(R"({{"id": 1, {}}})", label));
    EXPECT_GT(margin(live, "[1,0]"), margin(live, "[0,1]")) << of_classes;
  }
}

TEST(TopicsSession, labels_that_nobody_asked_for_are_taken_by_topic) {
  ModelConfig config = config_of("sel-p:b=0.001");
  Live live(config, {.volunteered = Volunteered::learned});
  const json known = live(R"({"id": "k", "x": [1, 0], "labels": ["wheat"]})");
  EXPECT_EQ(known["outcomes"],
            (json{{"wheat", "volunteered"}, {"corn", "volunteered"}, {"oil", "volunteered"}}));
  EXPECT_EQ(known["updated"], json({"wheat"}));
  EXPECT_EQ(live(R"({"id": "k", "x": [1, 0], "labels": ["wheat"]})")["outcomes"]["oil"], "repeated");
  EXPECT_EQ(live(R"({"id": "some", "x": [1, 0], "labels": {"oil": true}})")["outcomes"],
            (json{{"oil", "volunteered"}}));
  const json answer = live(R"({"id": "a", "x": [1, 0]})");
  for (const std::string& topic : topics) {
    const bool asked = answer["topics"][topic]["ask"];
    const json receipt = live(json{{"id", "a"}, {"labels", {{topic, true}}}}.dump());
    EXPECT_EQ(receipt["outcomes"][topic], asked ? "learned" : "volunteered");
  }
  EXPECT_EQ(live.session().tally(0).asked, answer["topics"]["wheat"]["ask"] == true ? 1 : 0);
}

TEST(TopicsSession, several_people_vote_on_each_topic) {
  Live live(config_of("perc"), {.overlap = parse_overlap("100%:2")});
  EXPECT_EQ(live(R"({"id": 1, "x": [1, 2]})")["people"], 2);
  EXPECT_EQ(live(R"({"id": 1, "labels": ["wheat"], "by": "ann"})")["outcomes"]["wheat"], "collected");
  EXPECT_EQ(live(R"({"id": 1, "labels": ["wheat", "oil"], "by": "bob"})")["outcomes"],
            (json{{"wheat", "learned"}, {"corn", "learned"}, {"oil", "collected"}}));
  const json disputed = live(R"({"disputed": true})")["disputed"];
  ASSERT_EQ(disputed.size(), 1);
  EXPECT_EQ(disputed[0]["topics"].size(), 1);
  EXPECT_EQ(disputed[0]["topics"]["oil"]["answers"].size(), 2);
  EXPECT_EQ(live(R"({"id": 1, "labels": {"oil": true}, "by": "boss", "settles": true})")["outcomes"]["oil"],
            "learned");
  EXPECT_EQ(live(R"({"disputed": true})")["disputed"].size(), 0);
  const json report = live(R"({"report": true})")["report"]["topics"];
  EXPECT_EQ(report["oil"]["agreement"]["disputed"], 1);
  EXPECT_EQ(report["wheat"]["agreement"]["disputed"], 0);
}

TEST(TopicsSession, a_topic_can_be_added_midway) {
  for (const bool together : {false, true}) {
    Live live(config_of("perc", together));
    live(R"({"id": 1, "x": [1, 2]})");
    EXPECT_EQ(live(R"({"settings": {"labels": ["wheat", "corn", "oil", "gold"], "audit": "10%"}})")["round"],
              1);
    EXPECT_EQ(live(R"({"id": 1, "labels": {"gold": true, "oil": true}})")["outcomes"],
              (json{{"oil", "learned"}, {"gold", "never asked"}}));
    const json answer = live(R"({"id": 2, "x": [1, 3]})");
    EXPECT_EQ(answer["ask"].size(), 4);
    EXPECT_GT(answer["topics"]["oil"]["margin"], 0) << "what was learned stays";
    EXPECT_EQ(live(R"({"id": 2, "labels": ["gold"]})")["outcomes"]["gold"], "learned");
    const json report = live(R"({"report": true})")["report"]["topics"];
    EXPECT_EQ(report["gold"]["estimate"]["whole"]["rounds"], 1);
    EXPECT_EQ(report["gold"]["asked"], together ? 2 : 1);
    EXPECT_TRUE(live(R"({"settings": {"labels": ["corn"]}})").contains("error"));
  }
}

TEST(TopicsSession, labels_that_cannot_be_learned_count_as_given) {
  Live live(config_of("perc"));
  live(R"({"id": 1, "x": [1e150, 1]})");
  const std::string before = state_of(live.session().model()).at("task1.learner.w");
  EXPECT_TRUE(live(R"({"id": 1, "labels": ["corn"]})").contains("error"));
  EXPECT_EQ(state_of(live.session().model()).at("task1.learner.w"), before);
  EXPECT_EQ(live(R"({"id": 1, "labels": ["corn"]})")["outcomes"]["corn"], "repeated");
  live(R"({"id": 2, "x": [1, 1]})");
  EXPECT_EQ(live(R"({"id": 2, "labels": ["corn"]})")["outcomes"]["corn"], "learned");
}

TEST(TopicsSession, a_line_for_which_there_is_no_memory_teaches_no_topic) {
  ModelConfig config = config_of("perc");
  config.sampler.learner = parse_learner("second-order");
  const auto limit = std::make_shared<MemoryLimit>(30'000);
  Live live(config, {}, limit);
  constexpr int questions = 6;
  for (int k = 0; k < questions; ++k) {
    std::vector<double> x(30, 0.0);
    x[static_cast<std::size_t>(k)] = 1;
    ASSERT_EQ(live(json{{"id", k}, {"x", x}}.dump())["ask"].size(), topics.size());
  }
  int refused = 0;
  for (int k = 0; k < questions; ++k) {
    const std::string before = live.model();
    const json receipt = live(json{{"id", k}, {"labels", {"wheat", "oil"}}}.dump());
    if (receipt.contains("outcomes")) continue;
    ++refused;
    EXPECT_EQ(live.model(), before);
    EXPECT_NE(receipt["error"].get<std::string>().find("no memory to learn"), std::string::npos);
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, questions);
}

/// Instances, labels of some topics, late, corrected and declined; settings that change.
std::vector<std::string> mixed_lines() {
  std::vector<std::string> lines;
  for (int k = 0; k < 60; ++k) {
    lines.push_back(instance(k));
    if (k == 20) lines.emplace_back(R"({"settings": {"labels": ["wheat", "corn", "oil", "gold"]}})");
    if (k == 30) lines.emplace_back(R"({"settings": {"budget": 100, "horizon": 200, "audit": "5%"}})");
    if (k >= 5)
      lines.push_back(json{{"id", k - 5}, {"labels", {{"corn", k % 2 == 0}, {"oil", nullptr}}}}.dump());
    if (k >= 9) lines.push_back(labels(k - 9));
  }
  return lines;
}

TEST(TopicsSession, a_ledger_of_topics_continues_at_any_line_to_the_same_bytes) {
  for (const bool together : {false, true}) {
    const SessionSettings settings{.config = config_of("sel-p", together),
                                   .labels = {.max_rounds = 12, .overlap = parse_overlap("20%:2")}};
    const std::vector<std::string> lines = mixed_lines();
    const auto take = [&](SessionLedger& live, std::size_t from, std::size_t past) {
      Recorder recorder(*live.session, live.ledger.get(), false);
      for (std::size_t k = from; k < past; ++k)
        answers_to(recorder, {lines[k]}, static_cast<std::int64_t>(k) * second);
    };
    const MemoryFile whole;
    {
      SessionLedger live =
          open_session_ledger(whole.path(), settings, SettingsMismatch::is_an_error, nullptr);
      take(live, 0, lines.size());
      EXPECT_GT(live.session->counts().expired, 0);
    }
    const MemoryFile broken;
    for (std::size_t from = 0; from < lines.size(); from += 17) {
      SessionLedger live =
          open_session_ledger(broken.path(), settings, SettingsMismatch::is_ignored, nullptr);
      ASSERT_EQ(live.replayed, from);
      take(live, from, std::min(from + 17, lines.size()));
    }
    EXPECT_EQ(broken.bytes(), whole.bytes());
  }
}

TEST(TopicsSession, peek_gives_the_next_decisions_and_changes_nothing) {
  for (const bool together : {false, true}) {
    ModelConfig config = config_of("sel-p", together);
    Session session(make_model(config, {.exactness = Exactness::exact}), {});
    Incoming incoming;
    const auto read = [&](std::string line) {
      line.append(IncomingReader::padding, ' ');
      session.reader().read(std::string_view(line).substr(0, line.size() - IncomingReader::padding), 1,
                            incoming);
      return line;
    };
    for (int k = 0; k < 40; ++k) {
      const std::string asked = read(instance(k));
      const std::vector<Decision> peeked = session.peek(incoming);
      const std::string again = read(instance(k));
      const Outcome outcome = session.take(incoming, 0);
      const auto decisions = decisions_of(outcome);
      ASSERT_EQ(peeked.size(), topics.size());
      for (std::size_t t = 0; t < topics.size(); ++t) {
        ASSERT_EQ(peeked[t].margin, decisions[t].margin);
        ASSERT_EQ(peeked[t].probability, decisions[t].probability);
        ASSERT_EQ(peeked[t].prediction, decisions[t].prediction);
      }
      if (!asks(decisions)) continue;
      const std::string told = read(labels(k));
      session.take(incoming, 0);
    }
    EXPECT_GT(session.tally().updates, 5);
  }
}

}  // namespace
}  // namespace askfew

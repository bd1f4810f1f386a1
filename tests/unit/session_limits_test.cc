// What a session refuses for lack of memory and what it repeats; neither leaves a trace in the model.

#include <gtest/gtest.h>
#include <malloc.h>

#include "askfew/system/memory_limit.h"

#include "tests/streams.h"
#include "tests/unit/live.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string words(int first, int count) {
  std::string text;
  for (int k = first; k < first + count; ++k) text += "word" + std::to_string(k) + " ";
  return text;
}

TEST(Session, an_instance_without_memory_for_its_words_is_refused_and_changes_nothing) {
  ModelConfig config{.sampler = parse_preset("sel-p"), .seed = 1};
  config.features.text.dictionary = true;
  Live live(config, {}, std::make_shared<MemoryLimit>(40'000));
  EXPECT_TRUE(live(json{{"id", 1}, {"text", words(0, 20)}}.dump()).contains("ask"));
  const std::string before = live.model();
  const json refused = live(json{{"id", 2}, {"text", words(100, 1000)}}.dump());
  EXPECT_NE(refused.value("error", "").find("no memory for"), std::string::npos) << refused;
  EXPECT_EQ(live.model(), before);
  EXPECT_TRUE(live(json{{"id", 3}, {"text", words(10, 20)}}.dump()).contains("ask"));
  EXPECT_EQ(live(R"({"id": 1, "label": 1})")["outcome"], "learned");
}

TEST(Session, a_line_without_memory_is_refused_and_changes_nothing) {
  for (const std::string learner : {"rls:form=dual", "kernel-perceptron", "arow:form=primal"}) {
    ModelConfig config{.sampler = parse_preset("perc"), .seed = 1};
    config.sampler.learner = parse_learner(learner);
    config.sampler.update = standard_policy(config.sampler.learner);
    const auto limit = std::make_shared<MemoryLimit>(60'000);
    Live live(config, {}, limit);
    json refused;
    std::string model;
    int k = 0;
    for (; k < 400 && refused.empty(); ++k) {
      model = live.model();
      const json answer = live(json{{"id", k}, {"features", {{k % 300, 1.0}, {300, k % 7}}}}.dump());
      if (answer.contains("error")) {
        refused = answer;
        break;
      }
      model = live.model();
      const json receipt = live(json{{"id", k}, {"label", k % 2 == 0 ? 1 : -1}}.dump());
      if (receipt.contains("error")) refused = receipt;
    }
    ASSERT_NE(refused.value("error", "").find("no memory"), std::string::npos) << learner << " " << refused;
    EXPECT_EQ(live.model(), model) << learner;
    EXPECT_LE(limit->taken(), 60'000);
  }
}

TEST(Session, labels_that_the_model_does_not_name_take_no_memory) {
  for (const auto kind : {LabelPlan::Kind::plain, LabelPlan::Kind::any_of, LabelPlan::Kind::one_of}) {
    ModelConfig config{.sampler = parse_preset("sel-p"), .seed = 1};
    config.labels = {kind, {}};
    if (kind != LabelPlan::Kind::plain) config.labels.names = {"spam", "scam"};
    Live live(config);
    live(R"({"id": 1, "x": [1]})");
    const auto send = [&](int first, int count) {
      for (int k = first; k < first + count; ++k)
        live(json{{"id", "unknown"}, {"label", std::string(1000, 'x') + std::to_string(k)}}.dump());
    };
    send(0, 100);  // fills the buffers that are kept from line to line
    const auto before = mallinfo2().uordblks;
    send(100, 3000);
    EXPECT_LT(mallinfo2().uordblks, before + 100'000);
  }
}

TEST(Session, an_instance_sent_again_gets_its_first_answer_and_makes_no_new_round) {
  ModelConfig config{.sampler = parse_preset("sel-p:b=0.01"), .seed = 1};
  config.features.text.dictionary = true;
  Live live(config);
  json first = live(R"({"id": "a", "text": "white rook", "features": {"height": 2}})");
  const std::string model = live.model();
  const json again = live(R"({"features":{"height":2.0},"text":"white  rook","id":"\u0061"})");
  EXPECT_EQ(again["repeated"], true);
  EXPECT_EQ(again["id"], "a");
  for (const char* key : {"prediction", "margin", "ask", "probability"}) EXPECT_EQ(again[key], first[key]);
  EXPECT_EQ(again["why"], "as in round 1, where it came first");
  EXPECT_EQ(live.model(), model);
  // Other content is another instance, which cannot use the id yet.
  EXPECT_NE(live(R"({"id": "a", "text": "rook white rook"})").value("error", "").find("waits for its label"),
            std::string::npos);
  // The answer is the same after the learner has changed, and after the label came.
  EXPECT_EQ(live(R"({"id": "a", "label": 1})")["outcome"], "learned");
  EXPECT_EQ(live(R"({"id": "a", "text": "white rook", "features": {"height": 2}})"), again);
  const json unasked = live(R"({"id": "b", "text": "white rook", "features": {"height": 200}})");
  ASSERT_EQ(unasked["ask"], false);
  const json unasked_again = live(R"({"id": "b", "text": "white rook", "features": {"height": 200}})");
  EXPECT_EQ(unasked_again["margin"], unasked["margin"]);
  EXPECT_EQ(unasked_again["repeated"], true);
  const json report = live(R"({"report": true})")["report"];
  EXPECT_EQ(report["rounds"], 2);
  EXPECT_EQ(report["repeats"], 3);
}

TEST(Session, an_expired_question_that_is_sent_again_is_asked_again) {
  Live live({.sampler = parse_preset("perc"), .seed = 1}, {.max_rounds = 1});
  live(R"({"id": 1, "x": [1]})");
  live(R"({"id": 2, "x": [2]})");
  live(R"({"id": 3, "x": [3]})");
  const json again = live(R"({"id": 1, "x": [1]})");
  EXPECT_FALSE(again.contains("repeated"));
  EXPECT_EQ(live(R"({"id": 1, "label": 1})")["outcome"], "learned");
}

TEST(Session, an_answer_is_repeated_even_if_there_is_no_memory_for_another_instance) {
  Live live({.sampler = parse_preset("perc"), .seed = 1}, {}, std::make_shared<MemoryLimit>(20'000));
  int taken = 0;
  while (live(json{{"id", taken}, {"x", {1, 2}}}.dump()).contains("ask")) ++taken;
  EXPECT_EQ(live(R"({"id": 0, "x": [1, 2]})")["repeated"], true);
}

}  // namespace
}  // namespace askfew

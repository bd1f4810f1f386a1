// The state of a session is complete: a session that was saved and restored gives the same answers ever
// after.

#include <gtest/gtest.h>
#include <random>

#include "askfew/sessions/answers.h"
#include "askfew/sessions/session.h"

#include "tests/unit/live.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::int64_t second = 1'000'000;

struct Case {
  std::string name;
  ModelConfig config;
  LabelQueue::Options options{};
  bool text = false;
  std::vector<json> settings{};  ///< changes, spread over the lines
};

ModelConfig config_of(const std::string& sampler, LabelPlan labels, const std::string& budget = "",
                      double audit = 0) {
  ModelConfig config{.sampler = parse_preset(sampler), .seed = 3};
  config.labels = std::move(labels);
  if (!budget.empty()) config.sampler.spending.budget = parse_budget(budget);
  config.sampler.spending.budget.horizon =
      budget.find('/') == std::string::npos && !budget.empty() ? 1000 : 0;
  config.sampler.spending.audit = audit;
  return config;
}

const LabelPlan yes_no{.kind = LabelPlan::Kind::any_of, .names = {"yes"}, .negatives = {"no"}};
const LabelPlan closing{.kind = LabelPlan::Kind::any_of, .names = {"yes"}, .closes = true};
const LabelPlan classes{.kind = LabelPlan::Kind::one_of, .names = {"a", "b", "c"}};
const LabelPlan topics{.kind = LabelPlan::Kind::one_per_label, .names = {"x", "y", "z"}};

std::vector<Case> cases() {
  std::vector<Case> all;
  const LabelQueue::Options few{.keep = 20, .max_rounds = 60};
  all.push_back({"one_task", config_of("sel-p", yes_no, "", 0.1), few});
  all.push_back({"labels_that_close", config_of("pa-log", closing), {.keep = 3}});
  all.push_back(
      {"early_budget_of_text", config_of("auto", yes_no, "200", 0.05), {.max_age = 40 * second}, true});
  all.push_back({"budget_per_period", config_of("auto", yes_no, "20/minute"), few, true});
  all.push_back({"even_budget", config_of("sel-p", yes_no, "30%"), few});
  all.push_back({"second_order", config_of("sel-2nd", yes_no, "", 0.2), few});
  Case words{"dictionary", config_of("pa-log", yes_no, "", 0.1), few, true};
  words.config.features.text.dictionary = true;
  words.config.features.tf_idf = true;
  all.push_back(words);
  all.push_back({"classes", config_of("sel-p", classes, "", 0.1), few, true});
  all.push_back({"classes_by_default", config_of("auto", classes, "300"), few});
  all.push_back({"topics_apart", config_of("sel-p", topics, "", 0.1), few, true});
  Case together{"topics_together", config_of("auto", topics, "300", 0.1), few, true};
  together.config.together = true;
  all.push_back(together);
  LabelQueue::Options shared = few;
  shared.overlap = {.share = 0.5, .people = 3};
  all.push_back({"overlap", config_of("sel-p", yes_no, "", 0.1), shared});
  all.push_back({"overlap_of_topics", config_of("sel-p", topics), shared, true});
  for (const Volunteered volunteered : {Volunteered::kept, Volunteered::learned}) {
    LabelQueue::Options options = few;
    options.volunteered = volunteered;
    all.push_back({"volunteered", config_of("sel-p", yes_no, "", 0.1), options, true});
    all.push_back({"volunteered_topics", config_of("sel-p", topics), options});
  }
  Case changes{"settings_that_change", config_of("auto", classes, "200", 0.05), few, true};
  changes.settings = {{{"budget", 400}},
                      {{"audit", "20%"}},
                      {{"labels", {"a", "b", "c", "d"}}},
                      {{"expire", "30"}},
                      {{"annotators", {"ann"}}},
                      {{"overlap", "50%:2"}},
                      {{"volunteered", "keep"}},
                      {{"budget", "1000"}, {"horizon", 2000}},
                      {{"labels", {"wrong", "order"}}}};
  all.push_back(changes);
  return all;
}

/// Instances, and labels that come late, twice, from several people, for nothing, or that change their mind.
class Lines {
 public:
  explicit Lines(const Case& about) : about_(about) {}

  std::string next() {
    ++count_;
    const auto random = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); };
    if (!about_.settings.empty() && count_ % 80 == 0)
      return json{{"settings", about_.settings[(count_ / 80 - 1) % about_.settings.size()]}}.dump();
    if (ids_ == 0 || random(100) < 50) return instance(++ids_).dump();
    const std::uint64_t id = ids_ - std::min<std::uint64_t>(ids_ - 1, random(random(10) == 0 ? 200 : 12));
    if (random(100) < 4) return instance(id).dump();  // again
    if (random(100) < 3) return R"({"report": true})";
    json line = random(100) < 8 ? instance(ids_ += 1) : json{{"id", id}};  // volunteered
    label(random(3), line);
    line["by"] = std::string(1, static_cast<char>('p' + random(4)));
    if (random(20) == 0) line["settles"] = true;
    return line.dump();
  }

 private:
  json instance(std::uint64_t id) const {
    if (!about_.text) {
      const auto value = [&](std::uint64_t k) { return static_cast<double>(id * k % 101) / 50 - 1; };
      return {{"id", id}, {"x", {value(7919), value(104729), value(31)}}};
    }
    std::string text;
    for (std::uint64_t k = 1; k < 6; ++k) text += "word" + std::to_string(id * k * k % (30 + id / 10)) + " ";
    return {{"id", id}, {"text", text}};
  }
  void label(std::uint32_t random, json& line) const {
    const LabelPlan& plan = about_.config.labels;
    const bool declines = random == 2 && count_ % 5 == 0;
    if (declines && count_ % 2 == 0) line["unsure"] = true;
    if (plan.has_topics()) {
      line["labels"] = json::object();
      for (std::size_t k = 0; k < plan.names.size(); ++k)
        if (k <= random) line["labels"][plan.names[k]] = declines ? json() : json((count_ + k) % 3 == 0);
    } else if (declines) {
      line["label"] = json();
    } else if (plan.kind == LabelPlan::Kind::one_of) {
      line["label"] = plan.names[random];
    } else {
      line["label"] = random == 0 ? "yes" : "no";
    }
  }

  const Case& about_;
  std::mt19937 random_{5};
  std::uint64_t count_ = 0;
  std::uint64_t ids_ = 0;
};

std::int64_t time_of(int line) {
  return (1'700'000'000 + line / 3) * second + line;
}

class Taker {
 public:
  explicit Taker(const Case& about)
      : session_(make_model(about.config, {.exactness = Exactness::exact}), about.options) {}
  Taker(const Case& about, const Snapshot& saved) : Taker(about) {
    session_.restore(saved);
    begin();
  }

  /// `number`: of the line, from 0.
  std::string operator()(const std::string& line, int number) {
    if (!recorder_) begin();
    recorder_->number_next(static_cast<std::uint64_t>(number) + 1);
    const std::string padded = line + std::string(IncomingReader::padding, ' ');
    const std::string_view view = std::string_view(padded).substr(0, line.size());
    std::string answers;
    recorder_->answer({&view, 1}, time_of(number), answers);
    return answers;
  }
  [[nodiscard]] std::string report() const {
    std::string report;
    append_report(session_, report);
    append_pending(session_, {.limit = 10'000}, report);
    append_disputed(session_, {.limit = 10'000}, report);
    return report;
  }
  [[nodiscard]] Snapshot snapshot() const { return session_.snapshot(); }
  [[nodiscard]] const Session& session() const { return session_; }

 private:
  void begin() { recorder_.emplace(session_, nullptr, false); }

  Session session_;
  std::optional<Recorder> recorder_;
};

class SessionState : public testing::TestWithParam<Case> {};

TEST_P(SessionState, a_restored_session_gives_the_answers_of_the_session_that_was_saved) {
  constexpr int all_lines = 900;
  const Case& about = GetParam();
  Lines lines(about);
  std::vector<std::string> said;
  for (int k = 0; k < all_lines; ++k) said.push_back(lines.next());
  Taker whole(about);
  std::vector<std::string> answers;
  std::map<int, Snapshot> saved;
  for (int k = 0; k < all_lines; ++k) {
    if (k % 113 == 0 || k == 2) saved[k] = whole.snapshot();
    answers.push_back(whole(said[static_cast<std::size_t>(k)], k));
  }
  const Tally tally = whole.session().tally();
  EXPECT_GT(tally.asked, 50);
  EXPECT_GT(tally.updates, 10);
  EXPECT_GT(whole.session().counts().labels[0], 30) << "learned";
  for (const auto& [first, snapshot] : saved) {
    Taker restored(about, snapshot);
    ASSERT_EQ(restored.snapshot(), snapshot) << first;
    for (int k = first; k < all_lines; ++k) {
      ASSERT_EQ(restored(said[static_cast<std::size_t>(k)], k), answers[static_cast<std::size_t>(k)])
          << "saved before line " << first << ", line " << k << ": " << said[static_cast<std::size_t>(k)];
    }
    ASSERT_EQ(restored.report(), whole.report());
    ASSERT_EQ(restored.snapshot(), whole.snapshot()) << first;
  }
}

TEST_P(SessionState, a_state_with_a_part_too_few_or_too_many_is_refused) {
  const Case& about = GetParam();
  Lines lines(about);
  Taker taker(about);
  for (int k = 0; k < 120; ++k) taker(lines.next(), k);
  const Snapshot whole = taker.snapshot();
  // One of three changes a tensor, in turn: a session of many weights takes long to make.
  std::size_t turn = about.name.size();
  for (const auto& [name, tensor] : whole.tensors) {
    if (!name.starts_with("session.")) continue;
    Snapshot changed = whole;
    switch (turn++ % 3) {
      case 0:
        changed.tensors.erase(name);
        break;
      case 1:
        changed.tensors[name].bytes += std::string(8, '\0');
        break;
      default:
        changed.tensors[name].dtype = "I16";
    }
    EXPECT_THROW(Taker(about, changed), ModelError) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Sessions, SessionState, testing::ValuesIn(cases()),
                         [](const auto& about) { return about.param.name + std::to_string(about.index); });

}  // namespace
}  // namespace askfew

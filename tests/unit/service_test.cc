#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"
#include "askfew/service/iso_time.h"
#include "askfew/service/ledger_export.h"
#include "askfew/service/project.h"
#include "askfew/service/project_folder.h"
#include "askfew/sessions/columns.h"
#include "askfew/system/temporary_folder.h"
#include "askfew/workflows/replay.h"

namespace askfew {
namespace {

using nlohmann::json;

ProjectSettings spam_or_ham() {
  return {.name = "Spam", .labels = {"spam", "ham"}, .sampler = "perc"};
}

/// A project in a temporary folder that can be closed and opened again.
class Projects : public ::testing::Test {
 protected:
  void open(const ProjectOptions& options = {.settings = spam_or_ham()}) {
    project.reset();
    ProjectOptions here = options;
    here.ledger = ledger();
    project = std::make_unique<Project>(here);
  }
  [[nodiscard]] std::string ledger() const { return folder_.path().string() + "/ledger"; }

  using Call = void (Project::*)(std::span<const std::string_view>, std::string&);
  /// Calls `call` with one line; returns the answer.
  std::string send(Call call, std::string line) {
    const std::size_t size = line.size();
    line.append(IncomingReader::padding, ' ');
    const std::string_view view = std::string_view(line).substr(0, size);
    std::string answers;
    ((*project).*call)(std::span(&view, 1), answers);
    return answers;
  }
  void push(int count, int first = 0) {
    for (int k = first; k < first + count; ++k) {
      const std::string answers =
          send(&Project::take_lines,
               json{{"id", "m" + std::to_string(k)}, {"text", k % 2 == 0 ? "buy now" : "meet me"}}.dump());
      ASSERT_TRUE(json::parse(answers)["ask"].get<bool>()) << answers;
    }
  }
  std::vector<std::string> next(const std::string& person, std::size_t n) {
    std::vector<std::string> ids;
    for (const OpenQuestion* question : project->next(person, n, n).questions)
      ids.push_back(question->id.substr(1));
    return ids;
  }
  std::string answer(const std::string& person, int k, const std::string& label, const std::string& key) {
    return project->answer(person, {.key = key, .id = json("m" + std::to_string(k)).dump(), .label = label})
        .state;
  }
  [[nodiscard]] std::uint64_t learned() const { return project->counts().answered; }

  std::unique_ptr<Project> project;

 private:
  TemporaryFolder folder_{std::filesystem::temp_directory_path() / "askfew-service-"};
};

using Ids = std::vector<std::string>;

TEST_F(Projects, a_pool_is_decided_only_until_a_person_has_enough_questions) {
  open();
  push(1);
  for (int k = 1; k < 20; ++k) {
    send(&Project::keep_lines, json{{"id", "m" + std::to_string(k)}, {"text", "buy now"}}.dump());
  }
  EXPECT_EQ(project->next("ann", 10, 3).questions.size(), 3U);
  EXPECT_EQ(project->counts().rounds, 3U);
  EXPECT_EQ(project->next("ann", 10, 3).questions.size(), 3U);
  EXPECT_EQ(project->counts().rounds, 3U) << "the same questions are enough";
  EXPECT_EQ(project->next("ann", 2, 5).questions.size(), 2U);
  EXPECT_EQ(project->next("ann", 10, 10).questions.size(), 10U);
}

TEST_F(Projects, a_question_is_leased_to_one_person_at_a_time) {
  open();
  push(4);
  EXPECT_EQ(next("ann", 2), (Ids{"m0", "m1"}));
  EXPECT_EQ(next("bob", 5), (Ids{"m2", "m3"}));
  EXPECT_EQ(next("ann", 3), (Ids{"m0", "m1"}));
  EXPECT_EQ(project->next("eve", 1, 1).nothing, NoQuestion::leased_to_others);
  EXPECT_EQ(answer("bob", 0, "spam", "k"), "error");
}

TEST_F(Projects, a_lease_ends) {
  open({.settings = spam_or_ham(), .lease = -1});
  push(1);
  EXPECT_EQ(next("ann", 1), Ids{"m0"});
  EXPECT_EQ(next("bob", 1), Ids{"m0"});
}

TEST_F(Projects, one_in_forty_answers_of_a_person_is_held_at_least_one_and_at_most_ten) {
  open();
  push(450);
  for (int k = 0; k < 450; ++k) {
    EXPECT_EQ(answer("ann", k, "spam", "key " + std::to_string(k)), "held");
    if (k == 60) {
      EXPECT_EQ(project->counts().held, 1U);
    }
    if (k == 130) {
      EXPECT_EQ(project->counts().held, 3U);
    }
  }
  EXPECT_EQ(project->counts().held, 10U);
  EXPECT_EQ(learned(), 440U);
  EXPECT_EQ(project->counts().pending, 0U);
  project->learn_held();
  EXPECT_EQ(learned(), 450U);
  EXPECT_EQ(project->counts().held, 0U);
}

TEST_F(Projects, an_answer_that_was_taken_back_is_not_learned) {
  open();
  push(2);
  answer("ann", 0, "spam", "first");
  EXPECT_FALSE(project->take_back("bob", "first"));
  ASSERT_TRUE(project->take_back("ann", "first"));
  EXPECT_EQ(next("bob", 2), Ids{"m1"});
  EXPECT_EQ(answer("ann", 0, "ham", "second"), "held");
  project->learn_held();
  EXPECT_EQ(learned(), 1U);
  EXPECT_FALSE(project->take_back("ann", "second"));
}

TEST_F(Projects, a_key_is_that_of_one_person) {
  ProjectSettings settings = spam_or_ham();
  settings.overlap = "100%:2";
  open({.settings = settings});
  push(2);
  EXPECT_EQ(next("ann", 2), (Ids{"m0", "m1"}));
  EXPECT_EQ(next("bob", 2), (Ids{"m0", "m1"}));
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
  EXPECT_EQ(answer("bob", 1, "ham", "k"), "held");
  EXPECT_EQ(answer("bob", 0, "ham", "k"), "error") << "his key is that of his answer to another question";
  EXPECT_EQ(answer("eve", 0, "ham", "other"), "error");
  EXPECT_EQ(answer("eve", 0, "ham", "k"), "error") << "the result of another person is not hers";
  ASSERT_TRUE(project->take_back("bob", "k"));
  open({.settings = settings});
  EXPECT_EQ(project->desk().held("bob"), nullptr);
  ASSERT_NE(project->desk().held("ann"), nullptr);
  EXPECT_EQ(project->desk().held("ann")->front().id, "\"m0");
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
}

TEST_F(Projects, a_key_without_a_name_as_earlier_checkpoints_have_it_is_everybodys) {
  open();
  push(1);
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
  Snapshot saved;
  save_columns("desk", std::as_const(*project).desk(), saved);
  QuestionDesk same;
  load_columns("desk", saved, same);
  EXPECT_NE(same.known("ann", "k"), nullptr);
  EXPECT_EQ(same.known("bob", "k"), nullptr);
  std::erase_if(saved.tensors,
                [](const auto& tensor) { return tensor.first.starts_with("desk.people_of_keys"); });
  QuestionDesk earlier;
  load_columns("desk", saved, earlier);
  EXPECT_NE(earlier.known("ann", "k"), nullptr);
  EXPECT_NE(earlier.known("bob", "k"), nullptr);
}

TEST_F(Projects, a_repeated_key_gets_its_first_result_also_after_a_restart) {
  open();
  push(2);
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
  EXPECT_EQ(answer("ann", 0, "ham", "k"), "held");
  EXPECT_EQ(answer("ann", 1, "ham", "k"), "error");
  open();
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
  project->learn_held();
  EXPECT_EQ(answer("ann", 0, "spam", "k"), "held");
  EXPECT_EQ(learned(), 1U);
}

TEST_F(Projects, a_restart_gives_the_same_desk) {
  open({.settings = {.name = "Spam", .labels = {"spam", "ham"}, .audit = "10%", .sampler = "perc"}});
  const ProjectOptions same{.settings = project->settings()};
  push(6);
  answer("ann", 0, "spam", "a");
  answer("ann", 1, "ham", "b");
  answer("bob", 2, "spam", "c");
  project->learn_held();
  answer("bob", 3, "ham", "d");
  answer("bob", 4, "ham", "e");
  static_cast<void>(project->take_back("bob", "d"));
  const ProjectCounts counts = project->counts();
  const auto lines_of = [&] {
    std::vector<std::string> lines;
    for (const OpenQuestion* question : project->waiting())
      lines.push_back(question->line + question->tasks.at(0).why);
    return lines;
  };
  const auto lines = lines_of();
  const std::string report = project->report();
  const std::size_t points = project->history().points().size();
  open(same);
  EXPECT_EQ(project->counts(), counts);
  EXPECT_EQ(lines_of(), lines);
  EXPECT_EQ(project->report(), report);
  EXPECT_EQ(project->history().points().size(), points);
  ASSERT_NE(project->desk().held("bob"), nullptr);
  EXPECT_EQ(project->desk().held("bob")->front().key, "e");
  EXPECT_EQ(project->desk().annotators().people().at("ann").answers, 2U);
  EXPECT_EQ(project->desk().held("ann"), nullptr);
}

TEST_F(Projects, held_answers_are_learned_when_the_person_is_away) {
  open({.settings = spam_or_ham(), .patience = -1});
  push(1);
  answer("ann", 0, "spam", "k");
  project->tidy();
  EXPECT_EQ(learned(), 1U);
}

TEST_F(Projects, skipped_and_unsure_are_counted_apart_and_teach_nothing) {
  open();
  push(2);
  project->answer("ann", {.key = "a", .id = "\"m0\""});
  project->answer("ann", {.key = "b", .id = "\"m1\"", .unsure = true, .comment = "hm", .seconds = 2.5});
  project->learn_held();
  const Annotators::Person& ann = project->desk().annotators().people().at("ann");
  EXPECT_EQ(ann.skipped, 1U);
  EXPECT_EQ(ann.unsure, 1U);
  EXPECT_EQ(ann.seconds, std::vector<double>{2.5});
  EXPECT_EQ(project->counts().skipped, 2U);
  EXPECT_EQ(learned(), 0U);
}

TEST_F(Projects, an_answer_that_cannot_be_is_refused_with_the_reason) {
  open();
  push(1);
  const auto why = [&](const PersonsAnswer& given) { return project->answer("ann", given).detail; };
  EXPECT_EQ(why({.key = "k", .id = "\"m0\"", .label = "spma"}), "label 'spma': did you mean 'spam'?");
  EXPECT_NE(why({.key = "", .id = "\"m0\""}), "");
  EXPECT_NE(why({.key = "k", .id = "\"m7\""}), "");
  EXPECT_NE(why({.key = "k", .id = "{"}), "");
  EXPECT_NE(why({.key = "k", .id = "\"m0\"", .label = "spam", .unsure = true}), "");
  EXPECT_EQ(project->counts().held, 0U);
}

TEST_F(Projects, a_prediction_is_no_round_and_fixes_no_shape) {
  open();
  const std::string answers = send(&Project::predict, R"({"id": 1, "x": [1, 2]})");
  EXPECT_EQ(json::parse(answers), json::parse(R"({"id":1,"prediction":-1,"margin":0,"probability":1})"));
  push(1);
  EXPECT_EQ(project->counts().rounds, 1U);
}

TEST_F(Projects, the_replayed_ledger_has_the_same_session) {
  open();
  push(5);
  answer("ann", 0, "spam", "a");
  project->learn_held();
  project->commit(false);
  const ReplayResult replayed = replay(ReplayOptions{.ledger = ledger()});
  EXPECT_EQ(replayed.summary.tally.updates, project->session().model().tally(0).updates);
  EXPECT_EQ(replayed.summary.counts.waiting, 4U);
}

TEST_F(Projects, a_project_that_rests_is_the_same_after_it_was_opened_from_its_checkpoint) {
  ProjectOptions options{.settings = spam_or_ham()};
  options.settings.audit = "10%";
  options.settings.budget = "24/day";
  options.settings.sampler = "sel-p";
  open(options);
  const auto take = [&](const json& object, bool keeps) {
    const std::string answers = send(keeps ? &Project::keep_lines : &Project::take_lines, object.dump());
    ASSERT_EQ(answers.find("error"), std::string::npos) << answers;
  };
  project->change_settings("boss", {{"annotators", {"ann", "bob"}}});
  // Long lines: a checkpoint is written only where it is small beside the ledger.
  const std::string note(20'000, 'x');
  for (int k = 0; k < 900; ++k)
    take({{"id", "m" + std::to_string(k)}, {"text", k % 2 == 0 ? "buy now" : "meet me"}, {"note", note}},
         false);
  for (int k = 0; k < 3; ++k) take({{"id", "kept" + std::to_string(k)}, {"text", "keep it"}}, true);
  const Ids asked = next("ann", 20);
  ASSERT_GT(asked.size(), 15U);
  const auto answer_asked = [&](std::size_t k) {
    return answer("ann", std::stoi(asked[k].substr(1)), "spam", "key " + std::to_string(k));
  };
  for (std::size_t k = 0; k < 14; ++k) ASSERT_EQ(answer_asked(k), "held");
  ASSERT_TRUE(project->take_back("ann", "key 13"));
  ASSERT_EQ(answer_asked(14), "held");
  const std::uint64_t before = std::filesystem::file_size(ledger());
  project->rest();
  project->commit(true);
  ASSERT_GT(std::filesystem::file_size(ledger()), before + 1000) << "there is no checkpoint";
  const auto seen = [&] {
    json all{{"report", json::parse(project->report())},
             {"settings", json_of(project->settings())},
             {"spent", project->budget()->spent},
             {"points", project->history().points().size()},
             {"last point", project->history().points().back().figures[0].error.interval.high},
             {"key", project->desk().known("ann", "key 3")->state},
             {"held", json::array()},
             {"today", project->answered_today("ann")}};
    for (const HeldAnswer& held : *project->desk().held("ann")) all["held"].push_back({held.key, held.text});
    for (const OpenQuestion* question : project->waiting())
      all["waiting"].push_back({question->id, question->line.size(), question->tasks[0].why});
    const ProjectCounts counts = project->counts();
    all["counts"] = {counts.rounds, counts.asked, counts.answered, counts.held, counts.pending, counts.kept};
    return all;
  };
  const json live = seen();
  EXPECT_EQ(live["counts"][5], 3);
  ProjectOptions later = options;
  later.settings.annotators = {};  // the ledger knows better
  std::filesystem::copy_file(ledger(), ledger() + ".copy");
  {  // what is before the checkpoint is not read: a changed byte there is not noticed
    std::fstream file(ledger(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(before / 2));
    file.put('\0');
  }
  open(later);
  EXPECT_EQ(seen(), live);
  EXPECT_EQ(next("bob", 1), Ids{asked[13]}) << "its answer was taken back";
  // A replay of all lines is the same, and finds that the checkpoint is right.
  EXPECT_GT(replay(ReplayOptions{.ledger = ledger() + ".copy"}).checkpoints, 0U);
  EXPECT_THROW(replay(ReplayOptions{.ledger = ledger()}), DataError);
}

TEST_F(Projects, exports_name_labels_and_people) {
  open();
  push(2);
  answer("ann", 1, "ham", "a");
  project->learn_held();
  std::string text;
  const auto write = [&](std::string_view piece) { text += piece; };
  export_labels(ledger(), label_plan_of(project->settings()), ExportFormat::jsonl, write);
  const json row = json::parse(text);
  EXPECT_EQ(row["id"], "m1");
  EXPECT_EQ(row["label"], "ham");
  EXPECT_EQ(row["by"], "ann");
  text.clear();
  export_decisions(ledger(), label_plan_of(project->settings()), ExportFormat::csv, write);
  EXPECT_TRUE(text.starts_with("round,id,prediction,margin,probability,asked,time\n1,m0,ham,0.0,1.0,true,"))
      << text;
}

TEST(ProjectFolder, refused_settings_leave_nothing_and_names_are_no_paths) {
  const TemporaryFolder temporary(std::filesystem::temp_directory_path() / "askfew-service-");
  const std::string folder = temporary.path();
  ProjectFolder projects(folder);
  ProjectSettings wrong = spam_or_ham();
  wrong.sampler = "none";
  EXPECT_THROW(projects.create(wrong), ConfigError);
  EXPECT_TRUE(std::filesystem::is_empty(folder + "/projects"));
  EXPECT_EQ(projects.create(spam_or_ham()), "spam");
  EXPECT_EQ(projects.create(spam_or_ham()), "spam-2");
  EXPECT_EQ(projects.read_all().size(), 2U);
  EXPECT_EQ(projects.read_all().at("spam").labels, spam_or_ham().labels);
  EXPECT_THROW(ProjectFolder{folder}, FileError);
  EXPECT_EQ(slug_of("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(slug_of("\xC3\xA4"), "project");
  EXPECT_FALSE(is_slug(".."));
  EXPECT_TRUE(is_slug(slug_of(std::string(200, 'A'))));
}

TEST(ProjectFolder, counts_are_kept_until_the_ledger_grows) {
  const TemporaryFolder temporary(std::filesystem::temp_directory_path() / "askfew-service-");
  const ProjectCounts counts{
      .rounds = 7, .asked = 6, .answered = 5, .skipped = 4, .held = 3, .pending = 2, .kept = 1};
  ProjectFolder projects(temporary.path());
  const std::string id = projects.create(spam_or_ham());
  EXPECT_FALSE(projects.kept_counts(id));
  projects.keep_counts(id, counts);
  EXPECT_EQ(projects.kept_counts(id), counts);
  std::ofstream(temporary.path() / "projects/spam/counts.json") << "{\"rounds\":7";
  EXPECT_FALSE(projects.kept_counts(id));
  projects.keep_counts(id, counts);
  std::ofstream(projects.ledger_of(id).path(), std::ios::app) << ' ';
  EXPECT_FALSE(projects.kept_counts(id));
  projects.keep_counts("missing", counts);
  EXPECT_FALSE(projects.kept_counts("missing"));
}

TEST(IsoTime, is_in_utc_with_milliseconds) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(1'709'210'096'789'000), "2024-02-29T12:34:56.789Z");
}

}  // namespace
}  // namespace askfew

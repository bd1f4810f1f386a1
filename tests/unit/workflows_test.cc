// The workflows as programs call them: options in, results out.

#include <atomic>
#include <gtest/gtest.h>

#include "askfew/models/model_file.h"
#include "askfew/workflows/bound.h"
#include "askfew/workflows/compare.h"
#include "askfew/workflows/inspect.h"
#include "askfew/workflows/labels.h"
#include "askfew/workflows/predict.h"
#include "askfew/workflows/run.h"
#include "askfew/workflows/setup.h"
#include "askfew/workflows/tune.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::TemporaryFile;

constexpr const char* separable = "synthetic:separable:d=10,n=3000,margin=0.05,noise=0.1";

RunOptions run_of(const std::string& data, const SamplerOptions& sampler = {}) {
  return {.data = {.paths = {data}, .threads = 1}, .model = {.sampler = sampler}};
}

template <class F>
std::string refusal_of(const F& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(RunWorkflow, the_summary_has_the_counts_of_the_task) {
  const RunResult result = run(run_of(separable, {.sampler = "sel-p"}));
  EXPECT_EQ(result.rounds, 3000);
  EXPECT_FALSE(result.stopped);
  const Tally& tally = result.model.tally(0);
  EXPECT_EQ(result.summary.all.asked, tally.asked);
  EXPECT_EQ(result.summary.all.updates, tally.updates);
  EXPECT_EQ(result.summary.all.f1, result.model.tasks[0].confusion.f1());
  EXPECT_GT(result.summary.all.asked, 0);
  EXPECT_LT(result.summary.all.asked, 3000);
}

TEST(RunWorkflow, finds_the_horizon_of_a_budget_in_the_data) {
  const RunResult result = run(run_of(separable, {.budget = "200"}));
  ASSERT_TRUE(result.summary.budget);
  EXPECT_EQ(result.summary.budget->budget, "200");
  EXPECT_EQ(result.summary.budget->horizon, 3000);
  EXPECT_FALSE(result.summary.budget->over);
  EXPECT_LE(result.summary.all.asked, 200);
}

TEST(RunWorkflow, stops_when_the_flag_is_set_and_reports_it) {
  std::atomic<bool> stop = false;
  RunHooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const RunProgress& progress) { stop = progress.rounds >= 64; };
  const RunResult result = run(run_of(separable), hooks);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.rounds, 64);
}

TEST(RunWorkflow, a_trace_has_every_round_and_changes_nothing) {
  std::uint64_t rounds = 0;
  std::uint64_t asked = 0;
  RunHooks hooks;
  hooks.trace = [&](const Model& /*model*/, std::size_t task, const Round& round) {
    EXPECT_EQ(task, 0);
    EXPECT_EQ(round.query.round, ++rounds);
    asked += round.query.asked ? 1 : 0;
  };
  const RunResult traced = run(run_of(separable, {.sampler = "sel-2nd"}), hooks);
  EXPECT_EQ(rounds, 3000);
  EXPECT_EQ(asked, traced.summary.all.asked);
  EXPECT_EQ(run(run_of(separable, {.sampler = "sel-2nd"})).summary.all.asked, asked);
}

TEST(RunWorkflow, refuses_options_of_a_new_model_if_a_model_is_resumed) {
  RunOptions options = run_of(separable, {.sampler = "sel-p"});
  options.resume = "a.model";
  EXPECT_NE(refusal_of([&] { run(options); }).find("`model` cannot be given with `resume`"),
            std::string::npos);
}

TEST(RunWorkflow, an_invalid_text_is_refused_with_the_accepted_texts) {
  RunOptions options = run_of(separable);
  options.data.order = "size";
  EXPECT_EQ(refusal_of([&] { run(options); }), "`order` 'size' is not one of: file, time, random");
  options.data.order = "file";
  options.final_classifier = "best";
  EXPECT_EQ(refusal_of([&] { run(options); }),
            "`final_classifier` 'best' is not one of: last, average, penalized");
}

TEST(RunWorkflow, skipped_examples_are_reported_even_before_an_error) {
  const TemporaryFile file("+1 1:1\nnonsense\n-1 2:1\n");
  RunOptions options = run_of(file.path());
  options.data.on_error = "skip";
  std::uint64_t skipped = 0;
  RunHooks hooks;
  hooks.skipped = [&](const Skipped& some) { skipped = some.count; };
  const RunResult result = run(options, hooks);
  EXPECT_EQ(result.rounds, 2);
  EXPECT_EQ(result.skipped, 1);
  EXPECT_EQ(skipped, 1);
  const TemporaryFile nothing("nonsense\n");
  options.data.paths = {nothing.path()};
  skipped = 0;
  EXPECT_THROW(run(options, hooks), DataError);
  EXPECT_EQ(skipped, 1);
}

TEST(RunWorkflow, a_control_spends_the_same_budget_at_random) {
  RunOptions options = run_of(separable, {.budget = "10%"});
  options.control = true;
  const RunResult result = run(options);
  ASSERT_TRUE(result.control);
  EXPECT_EQ(result.control->run_is_better, result.summary.all.f1 >= result.control->f1);
  EXPECT_LE(result.control->asked, 300);
  options.model.sampler.budget.clear();
  EXPECT_EQ(refusal_of([&] { run(options); }), "`control` needs a `budget` to spend too");
}

/// Lines with one or two of three topics.
TemporaryFile topics() {
  std::string text;
  for (int k = 0; k < 60; ++k) text += k % 3 == 0 ? "1,3 1:1\n" : k % 3 == 1 ? "2 2:1\n" : "3 3:1\n";
  return TemporaryFile(text);
}

TEST(RunWorkflow, topics_are_found_in_the_data) {
  const TemporaryFile file = topics();
  RunOptions options = run_of(file.path());
  EXPECT_EQ(run(options).summary.tasks.size(), 3);
  options.model.labels.topics = 2;
  const RunResult result = run(options);
  ASSERT_EQ(result.summary.tasks.size(), 2);
  EXPECT_EQ(result.summary.tasks[0].name, "3");  // the most frequent topic
  EXPECT_EQ(result.summary.tasks[0].totals.positives, 40);
  EXPECT_EQ(result.summary.tasks[1].name, "1");
}

TEST(PredictWorkflow, gives_the_topics_with_positive_margins_in_order_of_margin) {
  const TemporaryFile file = topics();
  RunOptions options = run_of(file.path(), {.sampler = "perc"});
  const TemporaryFile model(encode_model(snapshot_of(run(options).model)));
  std::vector<Prediction> predictions;
  PredictHooks hooks;
  hooks.predicted = [&](const Model& /*model*/, const Prediction& one) { predictions.push_back(one); };
  const PredictResult result =
      predict({.model = model.path(), .data = {.paths = {file.path()}, .threads = 1}}, hooks);
  EXPECT_EQ(result.instances, 60);
  ASSERT_EQ(predictions.size(), 60);
  EXPECT_EQ(predictions[1].labels, std::vector<std::size_t>{1});
  ASSERT_EQ(predictions[0].labels.size(), 2);
  EXPECT_GE(predictions[0].margins[0], predictions[0].margins[1]);
  EXPECT_GT(predictions[0].margins[1], 0);
}

TEST(InspectWorkflow, shows_the_content_of_a_model) {
  RunOptions options = run_of(separable, {.sampler = "sel-p"});
  options.model.reading.features.normalize = true;
  const TemporaryFile model(encode_model(snapshot_of(run(options).model)));
  const InspectResult result = inspect(model.path());
  EXPECT_EQ(result.summary.rounds, 3000);
  ASSERT_EQ(result.features.size(), 1);
  EXPECT_EQ(result.features[0].name, "normalize");
  EXPECT_FALSE(result.tensors.empty());
}

TEST(CompareWorkflow, has_a_point_for_each_sampler_and_rate) {
  const CompareResult result = compare({.data = {.paths = {separable}, .threads = 2},
                                        .samplers = "sel-p:rate=2,b=0.5,pa-log",
                                        .rates = "100%,10%,0.1",
                                        .runs = 2});
  EXPECT_EQ(result.samplers, (std::vector<std::string>{"sel-p:rate=2,b=0.5", "pa-log"}));
  EXPECT_EQ(result.rates, (std::vector<double>{0.1, 1}));
  ASSERT_EQ(result.points.size(), 4);
  EXPECT_EQ(result.points[1].share.mean, 1);
  EXPECT_EQ(result.examples, 3000);
}

TEST(CompareWorkflow, has_no_point_if_it_is_stopped_before_its_jobs_are_done) {
  std::atomic<bool> stop = false;
  JobHooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const JobsDone& /*done*/) { stop = true; };
  const CompareResult result =
      compare({.data = {.paths = {separable}, .threads = 1}, .samplers = "sel-p", .runs = 1}, hooks);
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(result.points.empty());
}

TEST(TuneWorkflow, has_the_best_candidate_first) {
  const TuneResult result = tune({.data = {.paths = {separable}, .threads = 1},
                                  .sampler = "pa-log",
                                  .grid = {"C=0.001,1,1000"},
                                  .rate = "10%",
                                  .metric = "accuracy",
                                  .runs = 1});
  ASSERT_EQ(result.tuned.size(), 3);
  EXPECT_GE(result.tuned[0].accuracy.mean, result.tuned[1].accuracy.mean);
  EXPECT_GE(result.tuned[1].accuracy.mean, result.tuned[2].accuracy.mean);
}

TEST(BoundWorkflow, refuses_zero_runs) {
  EXPECT_EQ(refusal_of([] { bound({.data = {.paths = {separable}}, .seeds = 0}); }),
            "`seeds` 0: must be at least 1");
}

TEST(BoundWorkflow, tells_every_run_and_stops_between_two_runs) {
  std::atomic<bool> stop = false;
  std::vector<std::size_t> told;
  JobHooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const JobsDone& done) {
    EXPECT_EQ(done.of_jobs, 1000);
    told.push_back(done.jobs);
    if (done.jobs == 3) stop = true;
  };
  const BoundResult result = bound({.data = {.paths = {separable}}, .seeds = 1000}, hooks);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(Labels, ranges_and_names_make_tasks) {
  const LabelPlan one = named_labels({.positive = "1,4-6,spam"});
  EXPECT_EQ(one.kind, LabelPlan::Kind::any_of);
  EXPECT_EQ(one.names, (std::vector<std::string>{"1", "4", "5", "6", "spam"}));
  EXPECT_EQ(named_labels({.labels = "a,b", .multiclass = true}).kind, LabelPlan::Kind::one_of);
  EXPECT_TRUE(are_to_be_found({.multiclass = true}));
  EXPECT_EQ(refusal_of([] { named_labels({.positive = "1,,2"}); }), "`positive` '1,,2' has an empty label");
  EXPECT_EQ(refusal_of([] { named_labels({.positive = "1", .labels = "2"}); }),
            "`positive` and `labels` exclude each other");
}

TEST(SamplerOf, a_budget_changes_the_default) {
  EXPECT_EQ(sampler_of({}).learner, parse_preset("pa-log").learner);
  EXPECT_EQ(sampler_of({.budget = "5%"}).learner, parse_preset("auto").learner);
  EXPECT_EQ(refusal_of([] { sampler_of({.learner = "pa"}); }), "`learner` and `rule` go together");
  EXPECT_EQ(refusal_of([] { sampler_of({.horizon = 5}); }), "`horizon` is for a `budget`");
}

}  // namespace
}  // namespace askfew

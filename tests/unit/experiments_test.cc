// The parts of experiments: data in memory, trials, the search for a share of labels, jobs, statistics.

#include <cmath>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/streams/open.h"
#include "askfew/trials/compare_samplers.h"
#include "askfew/trials/jobs.h"
#include "askfew/trials/rate_search.h"
#include "askfew/trials/statistics.h"
#include "askfew/trials/trial.h"
#include "askfew/trials/tune_samplers.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using nlohmann::json;
using test::TemporaryFile;

Dataset synthetic(const std::string& spec) {
  const auto stream = open_stream("synthetic:" + spec, {});
  FeatureState features;
  return Dataset::read(*stream, Labelling::plain(), features);
}

TEST(Dataset, has_the_examples_and_labels_of_the_stream) {
  const TemporaryFile file("3 1:1 4:2\n5 2:1\n3,5 1:3\n");
  const FeatureOptions unit{.normalize = true};
  const auto stream = open_stream(file.path(), {.features = unit});
  const std::vector<Examples::LabelId> ids{stream->label_id("3"), stream->label_id("5")};
  FeatureState features(unit);
  const Dataset data = Dataset::read(*stream, Labelling::one_per_label(ids), features);
  ASSERT_EQ(data.size(), 3);
  EXPECT_EQ(data.tasks(), 2);
  EXPECT_EQ(data.dimension(), 4);
  EXPECT_EQ(data.positives(0), 2);
  EXPECT_EQ(data.positives(1), 2);
  EXPECT_EQ(data.label(1, 0), Label::negative);
  EXPECT_EQ(data.label(2, 1), Label::positive);
  EXPECT_NEAR(data.x(0).squared_norm(), 1, 1e-15);
}

TEST(Dataset, gives_a_part_with_other_labels) {
  const Dataset all = synthetic("separable:d=3,n=50");
  const Dataset odd = all.selected(10, 1, [](std::size_t row, std::span<Label> labels) {
    labels[0] = Label::positive;
    return row % 2 == 1;
  });
  ASSERT_EQ(odd.size(), 10);
  EXPECT_EQ(odd.positives(0), 10);
  EXPECT_EQ(odd.x(4).values()[0], all.x(9).values()[0]);
}

TEST(Dataset, an_identifier_is_a_feature_that_no_other_example_has) {
  const Dataset all = synthetic("separable:d=3,n=50");
  const Dataset named = all.with_identifiers();
  EXPECT_EQ(named.dimension(), 53);
  for (std::size_t row = 0; row < all.size(); ++row) {
    const FeatureView x = named.x(row);
    ASSERT_EQ(x.size(), 4);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(x.values()[k], all.x(row).values()[k]);
    ASSERT_EQ(x.indices()[3], 3 + row);
    ASSERT_EQ(x.values()[3], 1);
    ASSERT_EQ(named.label(row, 0), all.label(row, 0));
  }
}

TEST(Shuffled, is_a_permutation_that_depends_on_seed_and_number) {
  const auto order = shuffled(1000, 7, 3);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, in_order(1000));
  EXPECT_EQ(order, shuffled(1000, 7, 3));
  EXPECT_NE(order, shuffled(1000, 7, 4));
  EXPECT_NE(order, shuffled(1000, 8, 3));
}

TEST(Shuffled, puts_every_row_into_every_place_equally_often) {
  // The place of row 0 among 4, over 4,000 shuffles: each place a quarter of the time, within 5 standard
  // deviations.
  std::array<int, 4> places{};
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const auto order = shuffled(4, 1, k);
    ++places[static_cast<std::size_t>(std::find(order.begin(), order.end(), 0U) - order.begin())];
  }
  for (const int count : places) EXPECT_NEAR(count, 1000, 5 * std::sqrt(4000 * 0.25 * 0.75));
}

TEST(Trial, gives_the_same_results_as_calls_of_ask_and_tell) {
  const Dataset data = synthetic("separable:d=10,n=300,margin=0.05,noise=0.1");
  const auto rows = shuffled(data.size(), 1, 1);
  const SamplerConfig config = parse_preset("sel-p:b=0.3");
  const std::vector<std::uint64_t> after{1, 100, 300};
  const auto standings = run_trial(data, rows, {.sampler = config, .seed = 5, .task = 0}, after);
  ASSERT_EQ(standings.size(), 3);
  const auto sampler = make_sampler(config, {.key = {.seed = 5, .task = 0}, .dimension = data.dimension()});
  std::uint64_t mistakes = 0;
  for (const std::uint32_t row : rows) {
    const Query query = sampler->ask(data.x(row));
    mistakes += query.prediction != data.label(row, 0) ? 1U : 0U;
    if (query.asked) sampler->tell(data.x(row), data.label(row, 0), query);
  }
  EXPECT_EQ(standings[0].rounds, 1);
  EXPECT_EQ(standings[1].rounds, 100);
  EXPECT_EQ(standings[2].asked, sampler->tally().asked);
  EXPECT_EQ(standings[2].updates, sampler->tally().updates);
  EXPECT_EQ(standings[2].confusion.mistakes(), mistakes);
}

/// A feature of 2e8, hardly different from row to row: the matrix of `sel-2nd` loses its precision.
Dataset data_without_scale() {
  std::string lines;
  for (int k = 1; k <= 300; ++k) {
    const int a = k * 7919 % 101 - 50;
    const int b = k * 104729 % 103 - 51;
    lines += fmt::format("{} 1:{} 2:{}\n", a + 2 * b > 0 ? "+1" : "-1", 200'000'000 + 100 * a, b);
  }
  const TemporaryFile file(lines);
  const auto stream = open_stream(file.path(), {});
  FeatureState features;
  return Dataset::read(*stream, Labelling::plain(), features);
}

ComparePlan plan_of(const std::vector<std::string>& presets) {
  ComparePlan plan{.samplers = {}, .rates = {0.2, 0.5}, .runs = 2};
  for (const std::string& preset : presets) plan.samplers.push_back({preset, parse_preset(preset)});
  return plan;
}

TEST(Compare, a_sampler_that_fails_does_not_spoil_the_others) {
  const Dataset data = data_without_scale();
  const auto alone = compare_samplers(data, plan_of({"sel-p"}), {});
  const auto points = compare_samplers(data, plan_of({"sel-2nd", "sel-p"}), {.threads = 2});
  ASSERT_EQ(points.size(), 4);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_TRUE(points[k].fails());
    EXPECT_TRUE(points[k].failure.starts_with("round ")) << points[k].failure;
    EXPECT_TRUE(points[k].settings.starts_with("second-order:"));
    EXPECT_FALSE(points[k + 2].fails());
    EXPECT_EQ(points[k + 2].f1.mean, alone[k].f1.mean);
  }
}

TEST(Compare, a_failure_is_kept_and_found_like_any_result) {
  const Dataset data = data_without_scale();
  const TemporaryFile file("", "jsonl");
  const ComparePlan plan = plan_of({"sel-2nd", "sel-p"});
  std::string failure;
  for (const std::size_t to_do : {4U, 0U}) {
    Results results(file.path());
    std::size_t done = 0;
    const auto points =
        compare_samplers(data, plan, {.results = &results, .progress = [&](const auto& /*now*/) { ++done; }});
    EXPECT_EQ(done, to_do);
    if (to_do > 0) failure = points[0].failure;
    EXPECT_EQ(points[0].failure, failure);
    EXPECT_FALSE(points[2].fails());
  }
}

TEST(Compare, if_all_samplers_fail_the_error_is_that_of_the_first) {
  const Dataset data = data_without_scale();
  try {
    compare_samplers(data, plan_of({"sel-2nd", "sop"}), {});
    FAIL();
  } catch (const NumericError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("sel-2nd at 20%: round ")) << error.what();
  }
  try {
    compare_samplers(data, plan_of({"sel-2nd"}), {.max_memory = 100});
    FAIL();
  } catch (const MemoryError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("sel-2nd at 20%: round ")) << error.what();
    EXPECT_TRUE(std::string(error.what()).ends_with("of the limit of 100 bytes are taken")) << error.what();
  }
}

TEST(Compare, a_learner_beyond_the_memory_limit_fails) {
  const Dataset data = synthetic("linear-noise:d=10,n=200");
  const auto points = compare_samplers(data, plan_of({"sel-2nd", "sel-p"}), {.max_memory = 100});
  EXPECT_NE(points[0].failure.find("a matrix of the learner would need"), std::string::npos);
  EXPECT_TRUE(points[0].failure.ends_with("(see `max_memory`)")) << points[0].failure;
  EXPECT_FALSE(points[2].fails());
  EXPECT_FALSE(compare_samplers(data, plan_of({"sel-2nd"}), {.max_memory = 1'000'000})[0].fails());
}

TEST(FindRate, finds_the_scale_of_every_rule_at_which_it_asks_for_the_share) {
  const Dataset data = synthetic("linear-noise:d=10,n=3000");
  const auto rows = in_order(data.size());
  for (const std::string preset : {"sel-p", "sel-ada", "dkm-perc", "ss", "bbq", "dgs", "sel-p-fixed"}) {
    const double rate = 0.2;
    const AtRate found = find_rate(parse_preset(preset), rate, [&](const SamplerConfig& config) {
      return run_tasks(data, rows, config, 1).share;
    });
    EXPECT_NEAR(found.share, rate, 0.1 * rate) << preset;
    EXPECT_EQ(run_tasks(data, rows, found.sampler, 1).share, found.share) << preset;
  }
}

TEST(FindRate, gives_the_nearest_share_if_the_share_jumps) {
  int calls = 0;
  const AtRate found = find_rate(parse_preset("sel-p:b=1"), 0.5, [&](const SamplerConfig& config) {
    ++calls;
    return config.rule.params.at("b") < 3 ? 0.1 : 0.7;
  });
  EXPECT_EQ(found.share, 0.7);
  EXPECT_LT(calls, 60);
}

TEST(FindRate, refuses_a_rule_without_a_scale) {
  EXPECT_THROW(find_rate(parse_preset("perc"), 0.5, [](const SamplerConfig&) { return 1.0; }), ConfigError);
}

TEST(Sample, has_the_mean_and_students_interval) {
  // 1, 2, 3, 4: the deviation is sqrt(5/3), and t at 97.5% with 3 degrees of freedom is 3.1824.
  const std::vector<double> values{1, 2, 3, 4};
  const Sample sample = sample_of(values);
  EXPECT_DOUBLE_EQ(sample.mean, 2.5);
  EXPECT_DOUBLE_EQ(sample.deviation, std::sqrt(5.0 / 3));
  EXPECT_NEAR(sample.half_width, 3.1824 * std::sqrt(5.0 / 3) / 2, 1e-4);
  EXPECT_EQ(sample_of(std::vector<double>{7}).half_width, 0);
}

TEST(Sample, contains_the_mean_in_95_percent_of_samples) {
  // The interval of 50 uniform values is nearly Student's: 95% of 2,000 samples contain 1/2, within 4
  // deviations.
  Coin coin({.seed = 3});
  int covered = 0;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    std::vector<double> values;
    for (std::uint64_t n = 1; n <= 50; ++n) values.push_back(coin(50 * k + n));
    const Sample sample = sample_of(values);
    covered += std::abs(sample.mean - 0.5) <= sample.half_width ? 1 : 0;
  }
  EXPECT_NEAR(covered, 1900, 4 * std::sqrt(2000 * 0.95 * 0.05));
}

std::vector<Job> counting_jobs(std::atomic<int>& calls) {
  std::vector<Job> jobs;
  for (int k = 0; k < 40; ++k) {
    jobs.push_back({.key = "job " + std::to_string(k), .work = [&calls, k] {
                      ++calls;
                      return json(k * k);
                    }});
  }
  return jobs;
}

TEST(Jobs, give_their_results_in_order_on_any_number_of_threads) {
  std::atomic<int> calls = 0;
  const auto jobs = counting_jobs(calls);
  for (const unsigned threads : {1U, 3U}) {
    const auto results = run_jobs(jobs, {.threads = threads});
    for (int k = 0; k < 40; ++k) EXPECT_EQ(results[static_cast<std::size_t>(k)], k * k);
  }
  EXPECT_EQ(calls, 80);
}

TEST(Jobs, that_are_in_the_file_are_not_run_again) {
  const TemporaryFile file("", "jsonl");
  std::atomic<int> calls = 0;
  const auto jobs = counting_jobs(calls);
  std::atomic<bool> stop = false;
  Results first(file.path());
  EXPECT_THROW(run_jobs(jobs, {.results = &first,
                               .stop = &stop,
                               .progress = [&](const JobsDone& done) { stop = done.jobs == 15; }}),
               JobsStopped);
  EXPECT_EQ(calls, 15);
  std::ofstream(file.path(), std::ios::app) << R"({"key": "job 39", "res)";  // cut off by a crash
  Results second(file.path());
  const auto results = run_jobs(jobs, {.threads = 2, .results = &second});
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(results[39], 39 * 39);
  Results third(file.path());
  run_jobs(jobs, {.results = &third});
  EXPECT_EQ(calls, 40);
}

TEST(Jobs, can_be_done_in_parts_and_put_together) {
  std::atomic<int> calls = 0;
  const auto jobs = counting_jobs(calls);
  Results all("");
  std::vector<JobLeft> left;
  const std::set<std::string> none;
  try {
    run_jobs(jobs, {.results = &all, .only = &none});
  } catch (const JobsStopped& stopped) {
    left = stopped.left();
  }
  EXPECT_EQ(calls, 0);
  ASSERT_EQ(left.size(), jobs.size());
  for (const JobLeft& job : left) {
    Results part("");
    const std::set<std::string> only{job.key};
    EXPECT_THROW(run_jobs(jobs, {.results = &part, .only = &only}), JobsStopped);
    all.add(job.key, *part.find(job.key));
  }
  EXPECT_EQ(calls, 40);
  EXPECT_EQ(run_jobs(jobs, {.results = &all}), run_jobs(jobs, {}));
}

TEST(Jobs, results_of_something_else_in_the_file_are_left_alone) {
  const TemporaryFile file("", "jsonl");
  Results("", "a").add("job 0", 1);
  Results(file.path(), "a").add("job 0", 1);
  Results(file.path(), "b").add("job 0", 2);
  Results(file.path()).add("job 0", 3);
  EXPECT_EQ(*Results(file.path(), "a").find("job 0"), 1);
  EXPECT_EQ(*Results(file.path(), "b").find("job 0"), 2);
  EXPECT_EQ(*Results(file.path()).find("job 0"), 3);
  EXPECT_EQ(Results(file.path(), "c").find("job 0"), nullptr);
}

TEST(Jobs, a_file_that_contains_no_jobs_is_refused) {
  const TemporaryFile file("+1 1:1\n", "jsonl");
  EXPECT_THROW(Results{file.path()}, DataError);
}

TEST(Jobs, the_first_failure_stops_all_jobs) {
  std::vector<Job> jobs;
  for (int k = 0; k < 10; ++k) {
    jobs.push_back({.key = std::to_string(k), .work = [k]() -> json {
                      if (k >= 4) throw ConfigError("job " + std::to_string(k));
                      return k;
                    }});
  }
  try {
    run_jobs(jobs, {.threads = 1});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "job 4");
  }
}

TEST(Jobs, that_run_at_the_same_time_share_the_memory) {
  const JobsOptions options{.threads = 4, .max_memory = 1000};
  EXPECT_EQ(options.memory_of_job(8)->most(), 250);
  EXPECT_EQ(options.memory_of_job(2)->most(), 500);
}

TEST(Tune, a_grid_contains_every_combination_of_its_values) {
  const auto grid = grid_of("sel-p", {parse_axis("b=0.1,1"), parse_axis("rate=2,3")});
  ASSERT_EQ(grid.size(), 4);
  EXPECT_EQ(grid[1].name, "sel-p:b=0.1,rate=3");
  EXPECT_EQ(grid[1].config, parse_preset("sel-p:b=0.1,rate=3"));
  EXPECT_THROW(parse_axis("b"), ConfigError);
  EXPECT_THROW(parse_axis("b=1,,2"), ConfigError);
  EXPECT_THROW(parse_axis("b=1,2,1"), ConfigError);
  EXPECT_THROW(grid_of("sel-p", {parse_axis("nothing=1")}), ConfigError);
}

TEST(Tune, finds_the_better_value) {
  // Winnow with tiny steps learns nothing.
  const Dataset data = synthetic("separable:d=5,n=800,margin=0.1");
  const auto tuned = tune_samplers(
      data, {.candidates = grid_of("sel-winnow", {parse_axis("eta=1e-6,0.5")}), .rate = 0.2, .holdout = 500},
      {.threads = 2});
  ASSERT_EQ(tuned.size(), 2);
  EXPECT_DOUBLE_EQ(tuned[0].share.mean, 0.2);
  EXPECT_GT(tuned[1].accuracy.mean, tuned[0].accuracy.mean + 0.05);
}

TEST(Tune, a_candidate_that_fails_does_not_spoil_the_others) {
  // The error advises to raise a.
  const Dataset data = data_without_scale();
  const auto tuned =
      tune_samplers(data, {.candidates = grid_of("sel-2nd", {parse_axis("a=1,1e12")}), .rate = 0.2}, {});
  ASSERT_EQ(tuned.size(), 2);
  EXPECT_TRUE(tuned[0].failure.starts_with("round ")) << tuned[0].failure;
  EXPECT_FALSE(tuned[1].fails());
  EXPECT_GT(tuned[1].accuracy.mean, 0);
}

TEST(Tune, if_all_candidates_fail_the_error_is_that_of_the_first) {
  const TunePlan plan{.candidates = grid_of("sel-2nd", {parse_axis("a=1,2")}), .rate = 0.2};
  try {
    tune_samplers(data_without_scale(), plan, {});
    FAIL();
  } catch (const NumericError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("sel-2nd:a=1: round ")) << error.what();
  }
}

}  // namespace
}  // namespace askfew

#include <algorithm>
#include <fmt/format.h>

#include "askfew/experiments/dataset.h"
#include "askfew/experiments/rate_search.h"
#include "askfew/experiments/statistics.h"
#include "askfew/experiments/trial.h"
#include "askfew/streams/open.h"

#include "experiments/slides/paper.h"
#include "experiments/slides/parts.h"

namespace askfew::slides {
namespace {

using nlohmann::json;

constexpr std::array shares{0.025, 0.05, 0.1, 0.2, 0.4};
constexpr std::size_t a_fifth = 3;

struct Plan {
  std::string stream;  ///< without its seed
  std::uint64_t seeds = 1;
};
Plan plan_of(bool quick) {
  return {.stream = fmt::format("synthetic:linear-noise:d=50,n={},alpha=1", quick ? 3000 : 20'000),
          .seeds = quick ? 6U : 20U};
}

Dataset read(const std::string& stream) {
  const auto examples = open_stream(stream, {});
  FeatureState features;
  return Dataset::read(*examples, Labelling::plain(), features);
}

SamplerConfig with_rule(std::string_view rule) {
  SamplerConfig config = parse_preset("margin-ss");
  config.rule = parse_rule(rule);
  return config;
}

/// The sampler at the shares, the same learner with random labels, and with all of them; c is found on
/// `tuning`.
json run_seed(const std::string& stream, const std::string& tuning, std::uint64_t seed) {
  const Dataset data = read(stream);
  const Dataset other = read(tuning);
  const auto rows = in_order(data.size());
  const auto standing_of = [&](const SamplerConfig& sampler) {
    const Standing end = run_trial(data, rows, {.sampler = sampler, .seed = seed});
    return json{{"share", end.share()}, {"accuracy", end.confusion.accuracy()}};
  };
  json result = {{"all", standing_of(with_rule("always"))}};
  for (const double share : shares) {
    const AtRate found = find_rate(parse_preset("margin-ss"), share, [&](const SamplerConfig& tried) {
      return run_trial(other, rows, {.sampler = tried, .seed = seed}).share();
    });
    result["selective"].push_back(standing_of(found.sampler));
    result["random"].push_back(standing_of(with_rule(fmt::format("random:q={}", share))));
  }
  return result;
}

/// Share and accuracy in percent.
struct Point {
  Sample share;
  Sample accuracy;
};

template <class F>
Point point_of(const std::vector<json>& results, F&& standing_of) {
  std::vector<double> asked;
  std::vector<double> accuracies;
  for (const json& result : results) {
    const json& standing = standing_of(result);
    asked.push_back(100 * standing.at("share").template get<double>());
    accuracies.push_back(100 * standing.at("accuracy").template get<double>());
  }
  return {.share = sample_of(asked), .accuracy = sample_of(accuracies)};
}

Series series_of(std::string title, const std::vector<Point>& points) {
  Series series{.title = std::move(title)};
  for (const Point& point : points) {
    series.x.push_back(point.share.mean);
    series.y.push_back(point.accuracy.mean);
    series.low.push_back(point.accuracy.mean - point.accuracy.half_width);
    series.high.push_back(point.accuracy.mean + point.accuracy.half_width);
  }
  return series;
}

std::string text_of(const Sample& sample) {
  return fmt::format("{:.2f} ± {:.2f}", sample.mean, sample.half_width);
}

}  // namespace

void add_selective(const ExperimentContext& context, ExperimentReport& report) {
  const Plan plan = plan_of(context.quick);
  std::vector<Job> jobs;
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    const std::uint64_t seed = context.seed * 1000 + k;
    const std::string stream = fmt::format("{},seed={}", plan.stream, seed);
    const std::string tuning = fmt::format("{},seed={}", plan.stream, seed + 500);
    jobs.push_back({.key = fmt::format("selective {} tuned on {}", stream, tuning),
                    .cost = 1,
                    .work = [stream, tuning, seed] { return run_seed(stream, tuning, seed); }});
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  const Point all = point_of(results, [](const json& result) { return result.at("all"); });
  std::vector<Point> selective;
  std::vector<Point> random;
  Table table{.caption = "Accuracy in percent",
              .columns = {"labels, %", "selective", "random", "all labels"}};
  bool better = true;
  std::string found;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const Point& own =
        selective.emplace_back(point_of(results, [s](const json& r) { return r.at("selective")[s]; }));
    const Point& other =
        random.emplace_back(point_of(results, [s](const json& r) { return r.at("random")[s]; }));
    better = better && own.accuracy.mean > other.accuracy.mean;
    found += fmt::format("{}{:.1f}% of the labels: {} against {}", s == 0 ? "" : ", ", own.share.mean,
                         text_of(own.accuracy), text_of(other.accuracy));
    table.rows.push_back({fmt::format("{:.1f}", own.share.mean), text_of(own.accuracy),
                          text_of(other.accuracy), text_of(all.accuracy)});
    report.figures["selective"].push_back({{"share_percent", own.share.mean},
                                           {"selective", own.accuracy.mean},
                                           {"random", other.accuracy.mean},
                                           {"all", all.accuracy.mean}});
  }
  Page& page = report.page;
  page.heading("Selective sampling");
  page.verdict(
      {.holds = selective[a_fifth].accuracy.mean >= all.accuracy.mean - 1,
       .claim = std::string(few_labels),
       .found = fmt::format("{:.1f}% of the labels: {}; all labels: {}.", selective[a_fifth].share.mean,
                            text_of(selective[a_fifth].accuracy), text_of(all.accuracy))});
  page.verdict({.holds = better, .claim = std::string(better_than_random), .found = found + "."});
  page.paragraph(
      fmt::format("The sampler asks where |w.x| <= |x| sqrt(c ln t/N), and updates with every label as the "
                  "second-order Perceptron "
                  "does. The slides show it on RCV1, in a picture without numbers; askfew's own pages for "
                  "RCV1 are those of the "
                  "2006 and 2008 papers. Here: {}, where even the teacher is wrong on a quarter of the "
                  "labels, {} seeds; c is "
                  "found on a stream with another seed.",
                  plan.stream, plan.seeds));
  page.figure({.title = "",
               .x = {.title = "labels, %", .logarithmic = true},
               .y = {.title = "accuracy, %"},
               .series = {series_of("selective", selective), series_of("random", random),
                          Series{.title = "all labels",
                                 .x = {selective.front().share.mean, selective.back().share.mean},
                                 .y = {all.accuracy.mean, all.accuracy.mean},
                                 .style = Series::Style::lines}}},
              "Accuracy on all rounds, mean and 95% interval over the seeds.");
  page.table(table);
}

}  // namespace askfew::slides

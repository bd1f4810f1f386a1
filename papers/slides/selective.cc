#include "papers/slides/selective.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/trials/rate_search.h"
#include "askfew/trials/trial.h"

#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

using nlohmann::json;

struct SelectivePlan {
  std::vector<Noisy> streams;
  std::uint64_t seeds = 1;
};
SelectivePlan selective_plan(bool quick) {
  const int rounds = quick ? 4000 : 20'000;
  return {.streams = {{"labels wrong near the boundary",
                       fmt::format("synthetic:linear-noise:d=50,n={},alpha=1", rounds)},
                      {"labels wrong with equal probability everywhere",
                       fmt::format("synthetic:separable:d=50,n={},margin=0,noise=0.05", rounds)}},
          .seeds = quick ? 6U : 20U};
}

SamplerConfig with_rule(std::string_view rule) {
  SamplerConfig config = parse_preset("margin-ss");
  config.rule = parse_rule(rule);
  return config;
}

/// Runs the sampler at each share, the same learner asking at random, and the same learner with all labels.
/// The search for c uses the stream `tuning`.
json run_seed(const std::string& stream, const std::string& tuning, std::uint64_t seed) {
  const Dataset data = read_synthetic(stream);
  const Dataset other = read_synthetic(tuning);
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

template <class F>
Point point_of(std::span<const json> results, F&& standing_of) {
  std::vector<double> asked;
  std::vector<double> accuracies;
  for (const json& result : results) {
    const json& standing = standing_of(result);
    asked.push_back(100 * standing.at("share").template get<double>());
    accuracies.push_back(100 * standing.at("accuracy").template get<double>());
  }
  return {.share = sample_of(asked), .accuracy = sample_of(accuracies)};
}

Curves curves_of(std::span<const json> results) {
  Curves curves{.all = point_of(results, [](const json& result) { return result.at("all"); })};
  for (std::size_t s = 0; s < shares.size(); ++s) {
    curves.selective.push_back(point_of(results, [s](const json& r) { return r.at("selective")[s]; }));
    curves.random.push_back(point_of(results, [s](const json& r) { return r.at("random")[s]; }));
  }
  return curves;
}

std::vector<Job> jobs_of(const SelectivePlan& plan, std::uint64_t first_seed) {
  std::vector<Job> jobs;
  for (const Noisy& noisy : plan.streams) {
    for (std::uint64_t seed = first_seed; seed < first_seed + plan.seeds; ++seed) {
      const std::string stream = fmt::format("{},seed={}", noisy.stream, seed);
      const std::string tuning = fmt::format("{},seed={}", noisy.stream, seed + 500);
      jobs.push_back(
          {.key = fmt::format("selective {} tuned on {} shares {}", stream, tuning, fmt::join(shares, ",")),
           .cost = 1,
           .work = [stream, tuning, seed] { return run_seed(stream, tuning, seed); }});
    }
  }
  return jobs;
}

}  // namespace

void add_selective(const ExperimentContext& context, ExperimentReport& report) {
  const SelectivePlan plan = selective_plan(context.quick);
  const std::vector<json> results = run_jobs(jobs_of(plan, context.seed * 1000), context.jobs);
  std::vector<Curves> curves;
  for (std::size_t k = 0; k < plan.streams.size(); ++k) {
    curves.push_back(curves_of(std::span(results).subspan(k * plan.seeds, plan.seeds)));
    for (std::size_t s = 0; s < shares.size(); ++s) {
      report.figures["selective"].push_back({{"stream", plan.streams[k].stream},
                                             {"share_percent", curves[k].selective[s].share.mean},
                                             {"selective", curves[k].selective[s].accuracy.mean},
                                             {"random", curves[k].random[s].accuracy.mean},
                                             {"all", curves[k].all.accuracy.mean}});
    }
  }
  Page& page = report.page;
  page.heading("Selective sampling");
  for (std::size_t k = 0; k < plan.streams.size(); ++k) add_verdicts(page, plan.streams[k], curves[k]);
  page.paragraph(
      fmt::format("The sampler asks where |w.x| <= |x| sqrt(c ln t/N), and updates with every asked label as "
                  "the second-order Perceptron does; the search for c uses a stream with another seed. The "
                  "slides show this sampler on RCV1, in a picture without numbers. Here there are two "
                  "streams with known noise and {} seeds each: on the first, a label is nearly random where "
                  "|u.x| is small; on the second, every label is flipped with the same probability.",
                  plan.seeds));
  for (std::size_t k = 0; k < plan.streams.size(); ++k) add_curves(page, plan.streams[k], curves[k]);
}

}  // namespace askfew::slides

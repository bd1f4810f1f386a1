#include "papers/cbgz_2006/measure.h"

#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace askfew::cbgz_2006 {
namespace {

using nlohmann::json;

constexpr std::array samplers{"sel-p", "sel-p-fixed", "sel-2nd", "sel-2nd-fixed", "sel-ada"};
constexpr std::array tuned{"sel-p", "sel-ada", "sel-2nd"};
constexpr std::array margin_samplers{"sel-p", "sel-2nd"};
// The paper's values of b, and values below and above them.
constexpr std::array b_of_first{0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 3.0};
constexpr std::array b_of_second{0.003, 0.01, 0.02, 0.04, 0.085, 0.125, 0.168, 0.21, 0.236, 0.24, 0.5};

json json_of_point(const TextPoint& point) {
  return {{"scale", point.scale}, {"share", point.share.mean}, {"f1", point.f1.mean}};
}

json json_of_points(const std::vector<TextPoint>& points) {
  json all = json::array();
  for (const TextPoint& point : points) all.push_back(json_of_point(point));
  return all;
}

}  // namespace

Plan plan_of(bool quick) {
  if (quick) return {.rates = {0.1, 0.292, 0.6}, .runs = 1, .blocks = 4};
  return {.rates = {0.05, 0.1, 0.2, 0.292, 0.438, 0.6, 0.718}, .runs = 5, .blocks = 10};
}

Measured measure(const TextSet& set, const Plan& plan, const ExperimentContext& context) {
  Measured measured{.set = set.name, .stories = set.topics.data.size(), .topics = set.topics.names};
  std::vector<Job> jobs;
  std::vector<std::vector<TextPoint>*> places;
  std::map<std::string, std::vector<TextPoint>> all_labels;
  const auto add = [&](std::vector<TextPoint>& place, Job job) {
    places.push_back(&place);
    jobs.push_back(std::move(job));
  };
  for (const std::string sampler : samplers) {
    for (const double rate : plan.rates) {
      add(measured.at_rate[sampler], at_rate_job(set, sampler, rate, plan.runs, context.seed));
    }
  }
  for (const std::string sampler : margin_samplers) {
    add(all_labels[sampler], at_rate_job(set, sampler, 1, 1, context.seed));
    for (const double b : sampler == "sel-p" ? b_of_first : b_of_second) {
      add(measured.of_b[sampler], at_scale_job(set, fmt::format("{}:b={}", sampler, b), 1, context.seed));
    }
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  for (std::size_t k = 0; k < results.size(); ++k) places[k]->push_back(text_point_of(results[k]));
  for (const auto& [sampler, points] : all_labels) measured.all_labels[sampler] = points.front();

  // All three samplers can reach an F a little below the F of the Perceptron with all labels.
  measured.target = 0.95 * measured.all_labels["sel-p"].f1.mean;
  std::vector<Job> tuning;
  for (const char* sampler : tuned) {
    tuning.push_back(blocks_job(set, sampler, measured.target, plan.blocks, context.seed));
  }
  const std::vector<json> blocks = run_jobs(tuning, context.jobs);
  for (std::size_t k = 0; k < tuned.size(); ++k) measured.blocks[tuned[k]] = blocks_of(blocks[k]);
  return measured;
}

json json_of(const Measured& measured) {
  json figures = {{"set", measured.set},
                  {"stories", measured.stories},
                  {"topics", measured.topics},
                  {"target", measured.target}};
  for (const auto& [sampler, points] : measured.at_rate) figures["at_rate"][sampler] = json_of_points(points);
  for (const auto& [sampler, point] : measured.all_labels) figures["all"][sampler] = json_of_point(point);
  for (const auto& [sampler, points] : measured.of_b) figures["of_b"][sampler] = json_of_points(points);
  for (const auto& [sampler, blocks] : measured.blocks) {
    figures["blocks"][sampler] = {{"share", blocks.share},
                                  {"f1", blocks.f1},
                                  {"block_share", blocks.block_share},
                                  {"block_f1", blocks.block_f1}};
  }
  return figures;
}

}  // namespace askfew::cbgz_2006

#include "papers/text_points.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/features/stop_words.h"
#include "askfew/trials/compare_samplers.h"
#include "askfew/trials/rate_search.h"

#include "papers/rcv1_stories.h"

namespace askfew {
namespace {

using nlohmann::json;

double scale_of(const SamplerConfig& sampler) {
  for (const RuleEntry& rule : rule_entries()) {
    if (rule.info.name != sampler.rule.name || rule.info.scale.empty()) continue;
    const auto given = sampler.rule.params.find(std::string(rule.info.scale));
    if (given != sampler.rule.params.end()) return given->second;
  }
  return 0;
}

json measured(const Dataset& data, const SamplerConfig& sampler, std::size_t runs, std::uint64_t seed) {
  const std::vector<std::uint32_t> rows = in_order(data.size());
  json result = {{"scale", scale_of(sampler)}};
  for (std::size_t k = 0; k < runs; ++k) {
    const RunMeans means = run_tasks(data, rows, sampler, seed + k);
    result["share"].push_back(means.share);
    result["f1"].push_back(means.f1);
  }
  return result;
}

json measured_at_rate(const Dataset& data, SamplerConfig sampler, double rate, std::size_t runs,
                      std::uint64_t seed) {
  if (rate >= 1) {
    sampler.rule = parse_rule("always");
    return measured(data, sampler, 1, seed);  // tosses no coins: one run is enough
  }
  const std::vector<std::uint32_t> rows = in_order(data.size());
  const AtRate found = find_rate(
      sampler, rate, [&](const SamplerConfig& tried) { return run_tasks(data, rows, tried, seed).share; });
  return measured(data, found.sampler, runs, seed);
}

TextSet named(std::string name, std::string_view features, Topics topics) {
  std::string key =
      fmt::format("{} {} stories {} topics {}", name, topics.data.size(), topics.names.size(), features);
  return {.name = std::move(name), .key = std::move(key), .topics = std::move(topics)};
}

}  // namespace

NamedFeatures standard_features(double bias) {
  FeatureOptions options{.tf_idf = true, .bias = bias, .normalize = true};
  options.text.stop_words = english_stop_words();
  options.text.stem = "english";
  return {.name = fmt::format("stop words, stems, tf-idf, constant {}", bias), .options = options};
}

TextSet reuters_set(const ExperimentContext& context, const NamedFeatures& features, std::size_t topics,
                    std::size_t most) {
  return named("Reuters-21578", features.name, read_reuters(context, topics, features.options, most));
}

TextSet rcv1_set(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most) {
  return named(fmt::format("RCV1 subset {}", subset), "as they are",
               read_rcv1(context, subset, topics, most));
}

std::optional<TextSet> rcv1_stories_set(const ExperimentContext& context, std::size_t topics,
                                        std::size_t most) {
  const std::string path = rcv1_stories_path(context.data);
  if (path.empty()) return std::nullopt;
  const std::vector<std::string> paths{path};
  return named(
      "RCV1", "as they are",
      read_labels(paths, {.features = {.normalize = true}, .threads = context.jobs.threads}, topics, most));
}

TextPoint text_point_of(const json& result) {
  return {.scale = result.at("scale").get<double>(),
          .share = sample_of(result.at("share").get<std::vector<double>>()),
          .f1 = sample_of(result.at("f1").get<std::vector<double>>())};
}

Job at_rate_job(const TextSet& set, const std::string& preset, double rate, std::size_t runs,
                std::uint64_t seed) {
  const SamplerConfig sampler = parse_preset(preset);
  return {.key = fmt::format("{} | {} at rate {} runs {} seed {}", set.key, preset, rate, runs, seed),
          .cost = 1 + 10 * rate,
          .work = [&set, sampler, rate, runs, seed] {
            return measured_at_rate(set.topics.data, sampler, rate, runs, seed);
          }};
}

Job at_scale_job(const TextSet& set, const std::string& preset, std::size_t runs, std::uint64_t seed) {
  const SamplerConfig sampler = parse_preset(preset);
  return {.key = fmt::format("{} | {} runs {} seed {}", set.key, preset, runs, seed),
          .work = [&set, sampler, runs, seed] { return measured(set.topics.data, sampler, runs, seed); }};
}

double f1_at(const std::vector<TextPoint>& points, double share) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const TextPoint& right = points[k];
    if (right.share.mean < share) continue;
    if (k == 0) return right.f1.mean;
    const TextPoint& left = points[k - 1];
    const double part = (share - left.share.mean) / (right.share.mean - left.share.mean);
    return left.f1.mean + part * (right.f1.mean - left.f1.mean);
  }
  return points.back().f1.mean;
}

Series f1_series(const std::string& title, const std::vector<TextPoint>& points) {
  Series series{.title = title};
  for (const TextPoint& point : points) {
    series.x.push_back(100 * point.share.mean);
    series.y.push_back(point.f1.mean);
  }
  return series;
}

}  // namespace askfew

#include "papers/cbgz_2006/blocks.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/trials/compare_samplers.h"
#include "askfew/trials/rate_search.h"

namespace askfew::cbgz_2006 {
namespace {

using nlohmann::json;

Standing between(const Standing& begin, const Standing& end) {
  return {.rounds = end.rounds - begin.rounds,
          .asked = end.asked - begin.asked,
          .updates = end.updates - begin.updates,
          .expected_asked = end.expected_asked - begin.expected_asked,
          .confusion = {.true_positives = end.confusion.true_positives - begin.confusion.true_positives,
                        .false_positives = end.confusion.false_positives - begin.confusion.false_positives,
                        .true_negatives = end.confusion.true_negatives - begin.confusion.true_negatives,
                        .false_negatives = end.confusion.false_negatives - begin.confusion.false_negatives}};
}

/// How close F must come to the target; sampling rates are compared at equal F.
constexpr double tolerance = 0.002;

json measured(const Dataset& data, const SamplerConfig& preset, double target, std::size_t blocks,
              std::uint64_t seed) {
  const std::vector<std::uint32_t> rows = in_order(data.size());
  // F grows with the scale, as the share of labels does, so that the same search finds the scale.
  const AtRate found = find_rate(
      preset, target, [&](const SamplerConfig& tried) { return run_tasks(data, rows, tried, seed).f1; },
      tolerance);
  const RunMeans whole = run_tasks(data, rows, found.sampler, seed);
  std::vector<std::uint64_t> ends;
  for (std::size_t k = 1; k <= blocks; ++k) ends.push_back(k * data.size() / blocks);
  std::vector<double> f1(blocks);
  std::vector<double> share(blocks);
  const auto tasks = static_cast<double>(data.tasks());
  for (std::size_t task = 0; task < data.tasks(); ++task) {
    Standing before;
    const auto standings =
        run_trial(data, rows, {.sampler = found.sampler, .seed = seed, .task = task}, ends);
    for (std::size_t k = 0; k < blocks; ++k) {
      const Standing block = between(before, standings[k]);
      f1[k] += block.confusion.f1() / tasks;
      share[k] += block.share() / tasks;
      before = standings[k];
    }
  }
  return {{"f1", whole.f1}, {"share", whole.share}, {"block_f1", f1}, {"block_share", share}};
}

}  // namespace

Blocks blocks_of(const json& result) {
  return {.f1 = result.at("f1").get<double>(),
          .share = result.at("share").get<double>(),
          .block_f1 = result.at("block_f1").get<std::vector<double>>(),
          .block_share = result.at("block_share").get<std::vector<double>>()};
}

Job blocks_job(const TextSet& set, const std::string& preset, double target, std::size_t blocks,
               std::uint64_t seed) {
  const SamplerConfig sampler = parse_preset(preset);
  return {.key = fmt::format("{} | {} to F {} within {} in {} blocks seed {}", set.key, preset, target,
                             tolerance, blocks, seed),
          .cost = 10,
          .work = [&set, sampler, target, blocks, seed] {
            return measured(set.topics.data, sampler, target, blocks, seed);
          }};
}

}  // namespace askfew::cbgz_2006

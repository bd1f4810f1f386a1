#include "askfew/workflows/compare.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "askfew/config/share.h"
#include "askfew/workflows/load.h"

namespace askfew {
namespace {

using nlohmann::json;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == ',') {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

std::vector<double> parse_shares(const std::string& text) {
  std::vector<double> shares;
  for (const std::string& piece : split(text)) shares.push_back(parse_share(piece));
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

std::vector<NamedSampler> parse_samplers(const std::string& text, const Aim& aim) {
  std::vector<std::string> specs;
  for (const std::string& piece : split(text)) {
    const bool goes_on =
        !specs.empty() && piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
    if (goes_on) {
      specs.back() += "," + piece;
    } else {
      specs.push_back(piece);
    }
  }
  std::vector<NamedSampler> samplers;
  for (const std::string& spec : specs) {
    samplers.push_back({spec, parse_preset(spec)});
    samplers.back().config.aim = aim;
  }
  return samplers;
}

json json_of(const Sample& sample) {
  return {{"mean", sample.mean}, {"deviation", sample.deviation}, {"half_width", sample.half_width}};
}

}  // namespace

CompareResult compare(const CompareOptions& options, const JobHooks& hooks) {
  const ComparePlan plan{.samplers = parse_samplers(options.samplers, parse_aim(options.aim)),
                         .rates = parse_shares(options.rates),
                         .runs = options.runs,
                         .seed = options.seed,
                         .shuffle = options.shuffle};
  InputData data(options.data, hooks);
  const Dataset dataset = load_data(data, options.labels, options.reading);
  check_norms(plan.samplers, dataset);
  CompareResult result{.samplers = {},
                       .rates = plan.rates,
                       .points = {},
                       .data = data.name(),
                       .examples = dataset.size(),
                       .tasks = dataset.tasks()};
  for (const NamedSampler& sampler : plan.samplers) result.samplers.push_back(sampler.name);
  try {
    result.points = compare_samplers(
        dataset, plan, {.threads = options.data.threads, .stop = hooks.stop, .progress = hooks.progress});
  } catch (const JobsStopped&) {
    result.stopped = true;
  }
  return result;
}

std::string json_of(const CompareResult& result) {
  json all = json::array();
  for (const ComparePoint& p : result.points) {
    all.push_back({{"sampler", p.sampler},
                   {"rate", p.rate},
                   {"settings", p.settings},
                   {"share", json_of(p.share)},
                   {"f1", json_of(p.f1)},
                   {"accuracy", json_of(p.accuracy)}});
  }
  return all.dump(2);
}

}  // namespace askfew

#include "askfew/workflows/compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/share.h"
#include "askfew/json/json_text.h"
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
  try {
    for (const std::string& piece : split(text)) shares.push_back(parse_share(piece));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("`rates` {}", error.what()));
  }
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  return shares;
}

/// What is left of a sampler when a share sets the scale of its rule.
std::string without_scale(SamplerConfig config) {
  for (const RuleEntry& rule : rule_entries()) {
    if (rule.info.name == config.rule.name) config.rule.params[std::string(rule.info.scale)] = 1;
  }
  std::string text = text_of(config.learner) + " " + config.rule.name;
  for (const auto& [name, value] : config.rule.params) text += fmt::format(" {}={}", name, value);
  return text + " " + std::string(text_of(config.update));
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
    SamplerConfig config = parse_preset(spec);
    config.aim = aim;
    const auto same = std::ranges::find_if(samplers, [&](const NamedSampler& other) {
      return without_scale(other.config) == without_scale(config);
    });
    if (same == samplers.end()) {
      samplers.push_back({spec, config});
    } else if (same->name != spec) {
      same->name += " = " + spec;
    }
  }
  return samplers;
}

ComparePlan plan_of(const CompareOptions& options) {
  if (options.runs == 0) throw ConfigError("`runs` is 0, expected at least 1");
  return {.samplers = parse_samplers(options.samplers, parse_aim(options.aim)),
          .rates = parse_shares(options.rates),
          .runs = options.runs,
          .seed = options.seed,
          .shuffle = options.shuffle};
}

/// The hook gets a sentence about each sampler that fails.
void tell_failures(const CompareResult& result, const Doubt& doubt) {
  if (!doubt) return;
  for (const std::string& sampler : result.samplers) {
    std::vector<const ComparePoint*> failed;
    for (const ComparePoint& point : result.points) {
      if (point.sampler == sampler && point.fails()) failed.push_back(&point);
    }
    if (failed.empty()) continue;
    const ComparePoint& first = *failed.front();
    std::string shares;
    bool is_same = true;  // for the same reason, in the same round
    for (const ComparePoint* point : failed) {
      shares += (shares.empty() ? "" : ", ") + text_of_share(point->rate);
      is_same = is_same && point->failure == first.failure;
    }
    doubt(fmt::format("{} at {}: {}{}", sampler, shares,
                      is_same ? "" : fmt::format("at {}, ", text_of_share(first.rate)), first.failure));
  }
}

json interval_json(const Sample& sample, std::size_t runs) {
  if (runs < 2) return {{"mean", sample.mean}, {"deviation", nullptr}, {"half_width", nullptr}};
  return {{"mean", sample.mean}, {"deviation", sample.deviation}, {"half_width", sample.half_width}};
}

}  // namespace

bool reaches_share(const ComparePoint& point) {
  return !point.fails() && std::abs(point.share.mean - point.rate) <= 0.1 * point.rate;
}

CompareResult compare(const CompareOptions& options, const JobHooks& hooks) {
  static_cast<void>(plan_of(options));  // refuses impossible options before the data is read
  InputData data(options.data, hooks);
  CompareResult result = compare(load_data(data, options), options, hooks);
  result.data = data.name();
  return result;
}

CompareResult compare(const Dataset& dataset, const CompareOptions& options, const JobHooks& hooks) {
  const ComparePlan plan = plan_of(options);
  check_norms(plan.samplers, dataset);
  CompareResult result{.samplers = {},
                       .rates = plan.rates,
                       .points = {},
                       .data = {},
                       .examples = dataset.size(),
                       .tasks = dataset.tasks(),
                       .runs = options.runs};
  for (const NamedSampler& sampler : plan.samplers) result.samplers.push_back(sampler.name);
  try {
    result.points = compare_samplers(dataset, plan, hooks.jobs(options.data));
    tell_failures(result, hooks.doubt);
  } catch (const JobsStopped& stopped) {
    result.stopped = true;
    result.left = stopped.left();
  }
  return result;
}

std::string json_of(const CompareResult& result) {
  json all = json::array();
  for (const ComparePoint& p : result.points) {
    const auto interval = [&](const Sample& sample) {
      return p.fails() ? json() : interval_json(sample, result.runs);
    };
    all.push_back({{"sampler", p.sampler},
                   {"rate", p.rate},
                   {"reached", reaches_share(p)},
                   {"settings", p.settings},
                   {"share", interval(p.share)},
                   {"f1", interval(p.f1)},
                   {"accuracy", interval(p.accuracy)}});
    if (p.fails()) all.back()["failure"] = p.failure;
  }
  return json_text(all, 2);
}

}  // namespace askfew

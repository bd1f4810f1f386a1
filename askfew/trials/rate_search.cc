#include "askfew/trials/rate_search.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace askfew {
namespace {

constexpr double widening = 16;
constexpr int max_widenings = 12;
constexpr int max_halvings = 24;

const ParamEntry& scale_of(const RuleEntry& rule) {
  if (rule.info.scale.empty()) {
    throw ConfigError(fmt::format("rule {} has no scale to search for a rate", rule.info.name));
  }
  return *std::find_if(rule.params.begin(), rule.params.end(),
                       [&](const ParamEntry& param) { return param.name == rule.info.scale; });
}

class Search {
 public:
  Search(const SamplerConfig& sampler, const ParamEntry& scale, double rate, const ShareOf& share_of,
         double tolerance)
      : sampler_(sampler), scale_(scale), rate_(rate), share_of_(share_of), tolerance_(tolerance) {}

  AtRate run() {
    const auto given = sampler_.rule.params.find(scale_.name);
    double low = within(given == sampler_.rule.params.end() || given->second <= 0 ? start() : given->second);
    double high = low;
    // A larger scale always asks more.
    for (int k = 0; k < max_widenings && share(low) > rate_ && !is_close(); ++k) low = within(low / widening);
    for (int k = 0; k < max_widenings && share(high) < rate_ && !is_close(); ++k)
      high = within(high * widening);
    for (int k = 0; k < max_halvings && !is_close() && low < high; ++k) {
      const double middle = within(std::sqrt(low * high));
      if (middle == low || middle == high) break;
      (share(middle) < rate_ ? low : high) = middle;
    }
    return best_;
  }

 private:
  [[nodiscard]] double start() const { return scale_.standard > 0 ? scale_.standard : 1; }
  [[nodiscard]] double within(double value) const {
    constexpr double least = 1e-12;  // below it no label is asked
    value = std::clamp(value, std::max(scale_.range.low, least), std::min(scale_.range.high, 1e12));
    return scale_.range.integral ? std::round(value) : value;
  }
  [[nodiscard]] bool is_close() const { return std::abs(best_.share - rate_) <= tolerance_ * rate_; }

  double share(double scale) {
    if (scale == last_scale_) return last_share_;
    sampler_.rule.params[scale_.name] = last_scale_ = scale;
    last_share_ = share_of_(sampler_);
    if (std::abs(last_share_ - rate_) < std::abs(best_.share - rate_)) best_ = {sampler_, last_share_};
    return last_share_;
  }

  SamplerConfig sampler_;
  const ParamEntry& scale_;
  double rate_;
  const ShareOf& share_of_;
  double tolerance_;
  double last_scale_ = -1;
  double last_share_ = 0;
  AtRate best_{.sampler = {}, .share = infinity};
};

}  // namespace

AtRate find_rate(const SamplerConfig& sampler, double rate, const ShareOf& share_of, double tolerance) {
  const std::vector<RuleEntry>& rules = rule_entries();
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const RuleEntry& entry) {
    return entry.info.name == sampler.rule.name;
  });
  return Search(sampler, scale_of(*rule), rate, share_of, tolerance).run();
}

}  // namespace askfew

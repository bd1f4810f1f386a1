#include "askfew/workflows/control.h"

#include <algorithm>

#include "askfew/workflows/summary.h"

namespace askfew {
namespace {

ModelConfig control_config(ModelConfig config) {
  if (!config.sampler.spending.budget.is_set()) {
    throw ConfigError("`control` needs a `budget` to spend too");
  }
  config.sampler.rule = parse_rule("random");
  config.sampler.spending.audit = 0;
  return config;
}

}  // namespace

Control::Control(const ModelConfig& config, const Usage& usage)
    : model_(make_model(control_config(config), usage)) {}

Control::Point Control::point_of(const Model& model, std::uint64_t rounds) {
  const Totals totals = totals_of(model);
  return {.rounds = rounds, .asked = totals.asked, .f1 = totals.f1};
}

void Control::note(const Model& model, std::uint64_t rounds) {
  run_.push_back(point_of(model, rounds));
  control_.push_back(point_of(model_, rounds));
}

ControlResult Control::result() const {
  const bool better = run_.back().f1 >= control_.back().f1;
  const std::vector<Point>& winner = better ? run_ : control_;
  const Point& other = better ? control_.back() : run_.back();
  // The point after the last point that is early or below. The newest point is neither: it belongs to the
  // better run.
  const auto below = std::find_if(winner.rbegin(), winner.rend(), [&](const Point& point) {
    return point.rounds < other.rounds / 10 || point.f1 < other.f1;
  });
  const std::uint64_t needed = (below - 1)->asked;
  const auto fewer = static_cast<std::int64_t>(other.asked) - static_cast<std::int64_t>(needed);
  return {.asked = control_.back().asked,
          .f1 = control_.back().f1,
          .run_is_better = better,
          .needed = needed,
          .saved = better ? fewer : -fewer};
}

}  // namespace askfew

#include "apps/cli/reports/control.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/reports/totals.h"

namespace askfew::cli {
namespace {

ModelConfig control_config(ModelConfig config) {
  if (!config.sampler.spending.budget.is_set()) throw ConfigError("--control needs a --budget to spend too");
  config.sampler.rule = parse_rule("random");
  config.sampler.spending.audit = 0;
  return config;
}

}  // namespace

Control::Control(const ModelConfig& config, const Usage& usage)
    : model_(make_model(control_config(config), usage)) {}

Control::Point Control::point_of(const Model& model) {
  const Totals totals = totals_of(model);
  return {.asked = totals.asked, .f1 = totals.f1};
}

void Control::note(const Model& model) {
  run_.push_back(point_of(model));
  control_.push_back(point_of(model_));
}

Control::Saving Control::saving() const {
  const bool better = run_.back().f1 >= control_.back().f1;
  const std::vector<Point>& winner = better ? run_ : control_;
  const Point& other = better ? control_.back() : run_.back();
  // From the point after the last that was below. The newest is not: it has won.
  const auto below =
      std::find_if(winner.rbegin(), winner.rend(), [&](const Point& point) { return point.f1 < other.f1; });
  const std::uint64_t needed = (below - 1)->asked;
  const auto fewer = static_cast<std::int64_t>(other.asked) - static_cast<std::int64_t>(needed);
  return {.needed = needed, .saved = better ? fewer : -fewer};
}

std::string Control::text() const {
  if (run_.empty()) return "";
  const auto [needed, saved] = saving();
  const Point& control = control_.back();
  const bool better = run_.back().f1 >= control.f1;
  return fmt::format("control    asking at random: {} labels, F {:.4f}; ", control.asked, control.f1) +
         (better ? fmt::format("this F took {} labels here, {} fewer\n", needed,
                               std::max<std::int64_t>(0, saved))
                 : fmt::format("the F of this run took it {} labels, {} fewer\n", needed,
                               std::max<std::int64_t>(0, -saved)));
}

nlohmann::json Control::json() const {
  if (run_.empty()) return nullptr;
  const Saving found = saving();
  return {{"asked", control_.back().asked},
          {"f1", control_.back().f1},
          {"labels_for_the_lower_f1", found.needed},
          {"labels_saved", found.saved}};
}

}  // namespace askfew::cli

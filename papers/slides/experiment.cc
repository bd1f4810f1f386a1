#include "papers/slides/experiment.h"

#include <nlohmann/json.hpp>

#include "askfew/streams/open.h"

#include "papers/slides/parts.h"

namespace askfew::slides {

SamplerConfig supervised(std::string_view learner) {
  SamplerConfig config{.learner = parse_learner(learner), .rule = parse_rule("always")};
  config.update = standard_policy(config.learner);
  return config;
}

Dataset read_synthetic(const std::string& stream) {
  const auto examples = open_stream(stream, {});
  FeatureState features;
  return Dataset::read(*examples, Labelling::plain(), features);
}

std::vector<double> weights_of(const AnySampler& sampler, std::size_t dimension) {
  constexpr double tiny =
      0x1p-30;  // so small that the spread, by which second-order margins are divided, vanishes
  std::vector<double> weights;
  std::vector<double> unit(dimension, 0.0);
  for (double& coordinate : unit) {
    coordinate = tiny;
    weights.push_back(sampler.margin(FeatureView::dense(unit)) / tiny);
    coordinate = 0;
  }
  return weights;
}

ExperimentReport run(const ExperimentContext& context) {
  ExperimentReport report{.page = Page("Cesa-Bianchi's slides: On-Line Learning"), .figures = {}};
  add_mistakes(context, report);
  add_alma(context, report);
  add_budget(context, report);
  add_selective(context, report);
  for (const Verdict& verdict : report.page.verdicts()) {
    report.figures["verdicts"].push_back(json_of(verdict));
  }
  return report;
}

}  // namespace askfew::slides

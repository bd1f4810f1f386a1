#include "askfew/workflows/load.h"

#include <cmath>
#include <fmt/core.h>

#include "askfew/workflows/seen_labels.h"
#include "askfew/workflows/setup.h"

namespace askfew {

Dataset load_data(InputData& data, const LabelOptions& labels, const ReadingOptions& reading,
                  std::uint64_t seed) {
  if (labels.multiclass) throw ConfigError("`multiclass` is not for experiments: each label is a task");
  Setup setup = set_up({.seed = seed, .labels = labels, .reading = reading}, data);
  if (setup.stream == nullptr) setup.stream = data.open(setup.config);
  FeatureState features(setup.config.features);
  Dataset dataset = Dataset::read(*setup.stream, setup.config.labels.labelling(*setup.stream), features);
  data.tell_skipped();
  if (dataset.size() == 0) throw data.no_example();
  static_cast<void>(data.check(*setup.stream));  // the hooks get the doubts
  if (dataset.tasks() == 1) {
    const std::string doubt = doubt_about_one_side(dataset.positives(0), dataset.size());
    if (!doubt.empty() && data.hooks().doubt) data.hooks().doubt(doubt);
  }
  return dataset;
}

void check_norms(std::span<const NamedSampler> samplers, const Dataset& data) {
  constexpr double tolerance = 1e-6;
  const auto is_unit = [&](std::size_t row) {
    const double squares = data.x(row).squared_norm();
    return squares == 0 || std::abs(squares - 1) <= tolerance;
  };
  for (const NamedSampler& sampler : samplers) {
    if (!learner_info(sampler.config.learner).unit_norm) continue;
    for (std::size_t row = 0; row < data.size(); ++row) {
      if (is_unit(row)) continue;
      throw ConfigError(fmt::format("{} needs instances of norm 1: give `normalize`", sampler.name));
    }
  }
}

}  // namespace askfew

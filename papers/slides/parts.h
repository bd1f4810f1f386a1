#pragma once

#include "askfew/catalog/catalog.h"
#include "askfew/trials/dataset.h"

#include "papers/experiment.h"

namespace askfew::slides {

// The parts of the report. Each part runs its jobs and adds its verdicts, figures and numbers.
// THROW: as `run_jobs`.

/// Part 3: mistakes on separable streams, compared with their bounds.
void add_mistakes(const ExperimentContext& context, ExperimentReport& report);
/// Part 6: ALMA's margin compared with the margin of a support vector machine.
void add_alma(const ExperimentContext& context, ExperimentReport& report);
/// Part 5: the Randomized Budget Perceptron.
void add_budget(const ExperimentContext& context, ExperimentReport& report);
/// Part 6: selective sampling.
void add_selective(const ExperimentContext& context, ExperimentReport& report);

/// A learner that asks for every label.
SamplerConfig supervised(std::string_view learner);

/// The examples of a synthetic stream. THROWS: ConfigError.
Dataset read_synthetic(const std::string& stream);

/// The weights w of a sampler that predicts sgn(w.x).
std::vector<double> weights_of(const AnySampler& sampler, std::size_t dimension);

}  // namespace askfew::slides

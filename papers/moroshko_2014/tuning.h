#pragma once

#include "askfew/catalog/catalog.h"

#include "papers/moroshko_2014/source.h"

namespace askfew::moroshko_2014 {

/// Contestants at one rate.
struct Group {
  double rate = every_label;
  std::vector<Contestant> contestants;
};

/// The group of those who ask for everything, and one for each rate.
std::vector<Group> groups_of(const Source& source, bool quick);

/// A contestant as it runs.
struct Tuned {
  std::string name;
  bool in_paper = true;
  SamplerConfig sampler;
  double accuracy = -1;  ///< where it was tuned
};

/// For every group its contestants, each with the settings of the best accuracy on repetitions that are for
/// tuning alone. There, too, the scale of the rule was turned until the share of labels was the rate.
/// THROWS: as `run_jobs`.
std::vector<std::vector<Tuned>> tune(const Source& source, const std::vector<Group>& groups,
                                     const ExperimentContext& context);

/// Learner and rule with all of their parameters.
std::string settings_of(const SamplerConfig& sampler);

}  // namespace askfew::moroshko_2014

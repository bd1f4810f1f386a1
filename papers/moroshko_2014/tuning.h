#pragma once

#include "askfew/catalog/catalog.h"
#include "askfew/trials/statistics.h"

#include "papers/moroshko_2014/source.h"

namespace askfew::moroshko_2014 {

/// Contestants at one rate.
struct Group {
  double rate = every_label;
  std::vector<Contestant> contestants;
};

/// The group that asks for every label, and one group for each rate.
std::vector<Group> groups_of(const Source& source, bool quick);

/// A contestant with its chosen settings.
struct Tuned {
  std::string name;
  bool in_paper = true;
  SamplerConfig sampler;
  Sample accuracy{};                ///< on the repetitions for tuning; all 0 if there was nothing to choose
  std::vector<std::string> ties{};  ///< learners that are not clearly worse on them
};

/// Two settings on the same repetitions: is the mean difference within two standard errors? REQUIRES: the
/// same number of repetitions.
bool is_tie(std::span<const double> accuracies, std::span<const double> others);

/// Tunes the contestants of every group. The settings are those with the best accuracy on repetitions
/// reserved for tuning. On the same repetitions the scale of the rule is searched at which the share of
/// labels is the rate.
/// THROWS: as `run_jobs`.
std::vector<std::vector<Tuned>> tune(const Source& source, const std::vector<Group>& groups,
                                     const ExperimentContext& context);

/// Learner and rule with all their parameters.
std::string settings_of(const SamplerConfig& sampler);

}  // namespace askfew::moroshko_2014

#pragma once

#include "askfew/trials/statistics.h"

#include "papers/moroshko_2014/tuning.h"

namespace askfew::moroshko_2014 {

/// The results of a contestant over all repetitions of the report.
struct Measured {
  Tuned contestant;
  Sample share;               ///< share of labels that it asked for
  std::vector<Sample> curve;  ///< accuracy so far, at the rounds of `Part::after`

  [[nodiscard]] const Sample& accuracy() const { return curve.back(); }
};

struct MeasuredGroup {
  double rate = every_label;
  std::vector<Measured> contestants;
};

/// All results on one source.
struct Part {
  std::string source;
  std::size_t repetitions = 0;
  std::vector<std::uint64_t> after;  ///< the rounds after which accuracy is measured
  std::vector<MeasuredGroup> groups;

  [[nodiscard]] const MeasuredGroup& at(double rate) const;
};

/// Tunes the contestants, then runs all of them on the same repetitions. THROWS: as `run_jobs`.
Part measure(const Source& source, const std::vector<Group>& groups, std::size_t repetitions,
             const ExperimentContext& context);

/// Every number of the page, for programs.
nlohmann::json json_of(const Part& part);

/// The contestant with this name. REQUIRES: the group has it.
const Measured& named(const MeasuredGroup& group, std::string_view name);
/// The paper's contestant with the best accuracy at a point of the curves.
const Measured& best_of(const MeasuredGroup& group, std::size_t point);
/// Is the interval of `one` at this point above the interval of every other contestant of the paper?
bool clearly_best(const MeasuredGroup& group, const Measured& one, std::size_t point);

}  // namespace askfew::moroshko_2014

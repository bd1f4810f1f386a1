#pragma once

#include "askfew/trials/statistics.h"

#include "papers/moroshko_2014/tuning.h"

namespace askfew::moroshko_2014 {

/// What a contestant did, over all repetitions of the report.
struct Measured {
  Tuned contestant;
  Sample share;               ///< of the labels that it asked for
  std::vector<Sample> curve;  ///< accuracy so far, at the rounds of `Part::after`

  [[nodiscard]] const Sample& accuracy() const { return curve.back(); }
};

struct MeasuredGroup {
  double rate = every_label;
  std::vector<Measured> contestants;
};

/// One source, with all that was measured on it.
struct Part {
  std::string source;
  std::size_t repetitions = 0;
  std::vector<std::uint64_t> after;  ///< rounds
  std::vector<MeasuredGroup> groups;

  /// The group at this rate.
  [[nodiscard]] const MeasuredGroup& at(double rate) const;
};

/// Tunes, then runs everybody on the same repetitions. THROWS: as `run_jobs`.
Part measure(const Source& source, const std::vector<Group>& groups, std::size_t repetitions,
             const ExperimentContext& context);

/// Every number, for programs.
nlohmann::json json_of(const Part& part);

/// The one of this name. REQUIRES: it is there.
const Measured& named(const MeasuredGroup& group, std::string_view name);
/// The paper's contestant with the best accuracy at a point of the curves.
const Measured& best_of(const MeasuredGroup& group, std::size_t point);
/// Is its interval there above that of each of the paper's others?
bool clearly_best(const MeasuredGroup& group, const Measured& one, std::size_t point);

}  // namespace askfew::moroshko_2014

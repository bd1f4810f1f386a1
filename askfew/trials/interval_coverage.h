#pragma once

#include "askfew/trials/dataset.h"
#include "askfew/trials/jobs.h"
#include "askfew/trials/trial.h"

namespace askfew {

/// Runs of an audited sampler whose intervals are held against the truth.
struct CoveragePlan {
  SamplerConfig sampler;     ///< with an audit
  std::size_t runs = 200;    ///< which differ in their coins
  std::uint64_t seed = 1;    ///< of the first run; the others count on
  std::uint64_t every = 50;  ///< rounds between two looks at the intervals
  double alpha = 0.05;       ///< what an interval may fail with
};

/// How often an interval held the truth: at the end of a run, and at all looks of it together. And how wide
/// it was at the end, in the median run.
struct Covered {
  double at_end = 0;
  double always = 0;
  double width = 0;
};

struct Coverage {
  Covered error;
  Covered precision;
  Covered recall;
  Covered f1;
  Covered recent_error;  ///< of the recent window; and of that window's F
  Covered recent_f1;
  double share = 0;       ///< of the labels that was asked, in the mean
  double true_error = 0;  ///< in the mean; and F
  double true_f1 = 0;
};

/// Of the first task of the data, in its order. THROWS: as `run_trial` and `run_jobs`; ConfigError without an
/// audit.
Coverage interval_coverage(const Dataset& data, const CoveragePlan& plan, const JobsOptions& options);

}  // namespace askfew

#pragma once

// Counts how often the intervals of an audited sampler contain the true values.

#include "askfew/trials/dataset.h"
#include "askfew/trials/jobs.h"
#include "askfew/trials/trial.h"

namespace askfew {

/// Runs of an audited sampler: do its intervals contain the true values?
struct CoveragePlan {
  SamplerConfig sampler;     ///< must have an audit
  std::size_t runs = 200;    ///< number of runs with different coins
  std::uint64_t seed = 1;    ///< seed of the first run; further runs count up
  std::uint64_t every = 50;  ///< rounds between two checks of the intervals
  double alpha = 0.05;       ///< allowed failure probability of an interval
};

/// How often an interval contained the true value: at the end of a run, and at all checks of a run together;
/// and its width at the end, in the median run.
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
  Covered recent_error;  ///< error and F in the recent window
  Covered recent_f1;
  double share = 0;       ///< mean share of labels asked
  double true_error = 0;  ///< mean true error and F
  double true_f1 = 0;
};

/// Uses the first task of the data, in the order of the data. THROWS: as `run_trial` and `run_jobs`;
/// ConfigError without an audit.
Coverage interval_coverage(const Dataset& data, const CoveragePlan& plan, const JobsOptions& options);

}  // namespace askfew

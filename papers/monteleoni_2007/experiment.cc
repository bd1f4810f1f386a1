#include "papers/monteleoni_2007/experiment.h"

#include "papers/monteleoni_2007/report.h"
#include "papers/monteleoni_2007/tuning.h"

namespace askfew::monteleoni_2007 {

ExperimentReport run(const ExperimentContext& context) {
  const Sizes sizes = sizes_of(context);
  const Digits digits = read_digits(context);
  const std::vector<Problem> problems = problems_of(digits, sizes, context.seed);
  const auto tuned = tune(problems, sizes, context.seed, context.jobs);
  return report_of(problems, measure(problems, tuned, sizes, context.seed, context.jobs), sizes);
}

}  // namespace askfew::monteleoni_2007

#pragma once

#include <string>
#include <vector>

#include "askfew/trials/dataset.h"

#include "papers/experiment.h"

namespace askfew::budgets {

struct Source {
  std::string name;
  Dataset data;
};

/// Every data set as `askfew run` reads it with no option but the label, in the order of the file (stories of
/// Reuters in that of time), as far as they are there; what is missing is said in `missing`.
std::vector<Source> all_sources(const ExperimentContext& context, std::string& missing);

}  // namespace askfew::budgets

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

/// Every data set as `askfew run` reads it with no option but the label, in the order of the file (the
/// stories of Reuters in the order of time). Missing data sets are left out; `missing` says which and why.
std::vector<Source> all_sources(const ExperimentContext& context, std::string& missing);

}  // namespace askfew::budgets

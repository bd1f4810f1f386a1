#pragma once

#include "askfew/reports/page.h"
#include "askfew/trials/compare_samplers.h"

#include "papers/defaults/streams.h"

namespace askfew::defaults {

/// 20 to 200 labels on all messages of sms_spam, in many orders: a sampler must not miss the rarer class for
/// long.
struct SmallBudgets {
  Table table;      ///< without rows if the set is not there
  Verdict verdict;  ///< of 200 labels
};

SmallBudgets measure_small_budgets(const ExperimentContext& context, const std::vector<Variant>& variants,
                                   const SamplerConfig& sampler);

}  // namespace askfew::defaults

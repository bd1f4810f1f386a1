#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/trials/compare_samplers.h"
#include "askfew/trials/dataset.h"
#include "askfew/workflows/input_data.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// All examples in memory, as a model would read them, for experiments that read them many times. THROWS: as
/// `set_up`; DataError if there is no example.
Dataset load_data(InputData& data, const LabelOptions& labels, const ReadingOptions& reading);

/// Refuses samplers that need unit norms unless the data has them. THROWS: ConfigError.
void check_norms(std::span<const NamedSampler> samplers, const Dataset& data);

}  // namespace askfew

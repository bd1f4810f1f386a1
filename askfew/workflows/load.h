#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/trials/compare_samplers.h"
#include "askfew/trials/dataset.h"
#include "askfew/workflows/input_data.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// All examples in memory, as a model would read them, for experiments that read them many times. The
/// seed is that of a random order. THROWS: as
/// `set_up`; DataError if there is no example.
Dataset load_data(InputData& data, const LabelOptions& labels, const ReadingOptions& reading,
                  std::uint64_t seed);

/// The same for the options of an experiment. Unless every run has its own order, data that is sorted by its
/// labels is told.
template <class Options>
Dataset load_data(InputData& data, const Options& options) {
  bool shuffles = false;
  if constexpr (requires { options.shuffle; }) shuffles = options.shuffle;
  if (!shuffles) data.watch_order();
  return load_data(data, options.labels, options.reading, options.seed);
}

/// Refuses samplers that need unit norms unless the data has them. THROWS: ConfigError.
void check_norms(std::span<const NamedSampler> samplers, const Dataset& data);

}  // namespace askfew

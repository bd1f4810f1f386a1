#pragma once

// Completes the options of a workflow from its data: sampler, horizon, number of features, tasks.

#include <memory>

#include "askfew/models/model.h"
#include "askfew/workflows/input_data.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The sampler of the options, with its spending. THROWS: ConfigError.
SamplerConfig sampler_of(const SamplerOptions& options);
/// Only the spending of the options. THROWS: ConfigError.
Spending spending_of(const SamplerOptions& options);

/// The configuration for reading data. THROWS: ConfigError, FileError.
ModelConfig reading_config(const ReadingOptions& options, const InputData& data);

/// The configuration of a new model, and its data.
struct Setup {
  ModelConfig config;
  /// The data from its beginning. Null for a pipe, which must be opened after the model is made, because
  /// opening waits for the first bytes.
  std::unique_ptr<Stream> stream;
};

/// Completes the options from the data: the format fixes the number of features and the columns of a table.
/// Labels, the horizon of a budget, or the number of features for a sampler may need a pass over the data.
/// THROWS: ConfigError, DataError, FileError.
Setup set_up(const ModelOptions& options, InputData& data);

}  // namespace askfew

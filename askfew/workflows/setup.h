#pragma once

#include <memory>

#include "askfew/models/model.h"
#include "askfew/workflows/input_data.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// The sampler that the options name, with what it may spend. THROWS: ConfigError.
SamplerConfig sampler_of(const SamplerOptions& options);
/// What the options say of spending alone. THROWS: ConfigError.
Spending spending_of(const SamplerOptions& options);

/// How the options say that data is read. THROWS: ConfigError, FileError.
ModelConfig reading_config(const ReadingOptions& options, const InputData& data);

/// The configuration of a new model, and the data that it is for.
struct Setup {
  ModelConfig config;
  /// The data from its beginning. None for a pipe, which is to be opened when the model is made: that waits
  /// until the first bytes come.
  std::unique_ptr<Stream> stream;
};

/// Finds out what the options leave open: the format of the data fixes the number of features and the columns
/// of a table; labels, the horizon of a budget, or the number of features that a sampler needs may take a
/// pass over the data first. THROWS: ConfigError, DataError, FileError.
Setup set_up(const ModelOptions& options, InputData& data);

}  // namespace askfew

#pragma once

// Whether data is of the kind that a model reads.

#include <string>

#include "askfew/models/model.h"
#include "askfew/streams/stream.h"
#include "askfew/workflows/options.h"

namespace askfew {

/// "text", "the columns of a table", ...; "anything" if the kind is unknown.
std::string_view description_of(InputKind kind);

/// Records in the configuration what the stream gives.
void note_input(const Stream& stream, ModelConfig& config);

/// THROWS: DataError if the stream gives another kind of input than the model reads. `model`: its file.
void expect_input_of(const ModelConfig& config, const Stream& stream, const std::string& model);

/// An option that the formats of the stream do not use is an error: it would do nothing. THROWS: ConfigError.
void expect_used(const DataOptions& data, const ReadingOptions& reading, const Stream& stream);

}  // namespace askfew

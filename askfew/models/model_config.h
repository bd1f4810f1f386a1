#pragma once

// The configuration of a model as JSON.

#include <nlohmann/json_fwd.hpp>

namespace askfew {

struct ModelConfig;

/// The configuration of a model as its file and its ledger hold it.
nlohmann::json json_of(const ModelConfig& config);
/// THROWS: ModelError, ConfigError, or an exception of the JSON library if this is no configuration.
ModelConfig config_of(const nlohmann::json& text);

}  // namespace askfew

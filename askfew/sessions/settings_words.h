#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace askfew {

/// Two values of a setting of a session that differ, in words: "ngrams 1, not 2". A setting with parts is
/// told by its first part that differs. `recorded` and `wanted`: null if the setting is missing.
std::string difference_of(const std::string& name, const nlohmann::json& recorded,
                          const nlohmann::json& wanted);

}  // namespace askfew

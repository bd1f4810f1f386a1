#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "papers/defaults/streams.h"

namespace askfew::defaults {

/// Writes the streams that other programs run on beside the default: sets as read, and texts with tf-idf and
/// unit norms; a file of svmlight text for each task, in the order of the first run. Returns what each file
/// is. THROWS: FileError.
nlohmann::json write_streams(const std::vector<Variant>& variants, std::uint64_t seed,
                             const std::string& folder);

}  // namespace askfew::defaults

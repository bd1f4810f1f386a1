#pragma once

// The failure of a sampler is a result like any other, so that an experiment keeps the results of the others.

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace askfew {

/// What the trials of a sampler return; instead of a NumericError or MemoryError, the failure that
/// `failure_of` reads.
nlohmann::json outcome_of(const std::function<nlohmann::json()>& trials);

/// Why the sampler failed; empty: it did not.
std::string failure_of(const nlohmann::json& outcome);

/// THROWS: if every outcome is a failure, the error of the first, with its name.
void expect_success(const std::vector<nlohmann::json>& outcomes,
                    const std::function<std::string(std::size_t)>& name);

}  // namespace askfew

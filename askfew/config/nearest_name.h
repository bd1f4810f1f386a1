#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace askfew {

// One rule for every name that a user may misspell: samplers and their parameters, options, commands, labels,
// columns and keys. See also did_you_mean.

/// The known name that was most likely meant, or an empty text: the same but for capital letters and blanks
/// around it, or with at most two letters wrong.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// "did you mean 'spam'? ", or nothing if no known name is near.
std::string nearest_or_nothing(std::string_view name, const std::vector<std::string>& known);

}  // namespace askfew

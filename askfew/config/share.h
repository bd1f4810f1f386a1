#pragma once

#include <string_view>

namespace askfew {

/// `1%` or `0.01`: a share of labels in (0, 1]. THROWS: ConfigError.
double parse_share(std::string_view text);

}  // namespace askfew

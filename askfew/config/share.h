#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// `1%` or `0.01`: a share of labels in (0, 1]. THROWS: ConfigError.
double parse_share(std::string_view text);
/// 0.05 -> `5%`.
std::string text_of_share(double share);

}  // namespace askfew

#include "askfew/config/share.h"

#include <charconv>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {

double parse_share(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [past, error] = std::from_chars(text.data(), end, value);
  const bool percent = past + 1 == end && *past == '%';
  if (percent) value /= 100;
  if (error != std::errc{} || (past != end && !percent) || !(value > 0) || value > 1) {
    throw ConfigError(fmt::format(
        "{} is not a share of labels, accepted: above 0% and up to 100%, or above 0 and up to 1{}",
        in_quotes(text), text.find(',') == text.npos ? "" : ", with a decimal point"));
  }
  return value;
}

std::string text_of_share(double share) {
  return fmt::format("{:.4g}%", 100 * share);
}

}  // namespace askfew

#pragma once

#include <fmt/core.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {

/// The value of a text that must be one of several choices. THROWS: ConfigError with the accepted texts.
template <class Value>
Value choice(std::string_view option, std::string_view text,
             std::initializer_list<std::pair<std::string_view, Value>> accepted) {
  std::string names;
  for (const auto& [name, value] : accepted) {
    if (text == name) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  throw ConfigError(fmt::format("`{}` {} is not one of: {}", option, in_quotes(text), names));
}

}  // namespace askfew

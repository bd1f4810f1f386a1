#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace askfew {

/// When a question expires: after so many rounds, or after so many microseconds; 0: never.
struct Expiry {
  std::uint64_t rounds = 0;
  std::int64_t age = 0;
};
/// "1000" are rounds, "30s", "10m", "12h" and "7d" an age. Nothing for another text.
std::optional<Expiry> parse_expiry(std::string_view text);
/// The text that parse_expiry accepts; empty: never.
std::string text_of(const Expiry& expiry);

}  // namespace askfew

#include "askfew/sessions/expiry.h"

#include <charconv>
#include <fmt/core.h>

namespace askfew {
namespace {

constexpr std::int64_t one_second = 1'000'000;

}  // namespace

std::optional<Expiry> parse_expiry(std::string_view text) {
  std::uint64_t number = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(past, static_cast<std::size_t>(text.data() + text.size() - past));
  constexpr std::uint64_t most = 1'000'000'000;
  if (error != std::errc{} || number == 0 || number > most) return std::nullopt;
  if (unit.empty()) return Expiry{.rounds = number};
  const std::int64_t length = unit == "s"   ? one_second
                              : unit == "m" ? 60 * one_second
                              : unit == "h" ? 3600 * one_second
                              : unit == "d" ? 86400 * one_second
                                            : 0;
  if (length == 0) return std::nullopt;
  return Expiry{.age = static_cast<std::int64_t>(number) * length};
}

std::string text_of(const Expiry& expiry) {
  if (expiry.rounds > 0) return std::to_string(expiry.rounds);
  return expiry.age > 0 ? fmt::format("{}s", expiry.age / one_second) : std::string();
}

}  // namespace askfew

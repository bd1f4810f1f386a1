#include "askfew/sessions/overlap.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>
#include <map>

#include "askfew/config/share.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {

Overlap parse_overlap(std::string_view text) {
  if (text.empty()) return {};
  const std::size_t colon = text.find(':');
  Overlap overlap;
  if (colon != std::string_view::npos) {
    const std::string_view people = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(people.data(), people.data() + people.size(), overlap.people);
    constexpr std::uint32_t most = 100;
    if (error == std::errc{} && end == people.data() + people.size() && overlap.people >= 2 &&
        overlap.people <= most) {
      overlap.share = parse_share(text.substr(0, colon));
      return overlap;
    }
  }
  throw ConfigError(fmt::format(
      "`overlap` {} is not a share of the questions and 2 to 100 people who answer them, as 10%:3",
      in_quotes(text)));
}

std::string text_of(const Overlap& overlap) {
  if (overlap.share == 0) return "";
  return fmt::format("{:.15g}%:{}", 100 * overlap.share, overlap.people);
}

Ballot count(std::span<const Vote> votes, std::uint32_t people) {
  std::map<LabelNumber, std::uint64_t> counts;
  Ballot ballot;
  for (const Vote& vote : votes) {
    if (vote.label) ++counts[*vote.label];
    ballot.unsure |= vote.unsure;
  }
  if (votes.size() < people) return ballot;
  std::uint64_t most = 0;
  ballot.is_open = false;
  for (const auto& [label, number] : counts) {
    if (number > most) {
      most = number;
      ballot.label = label;
      ballot.is_open = false;
    } else if (number == most) {
      ballot.is_open = true;
    }
  }
  return ballot;
}

bool are_different(std::span<const Vote> votes) {
  std::optional<LabelNumber> first;
  for (const Vote& vote : votes) {
    if (!vote.label) continue;
    if (first && first != vote.label) return true;
    first = vote.label;
  }
  return false;
}

}  // namespace askfew

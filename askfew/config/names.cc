#include "askfew/config/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"

namespace askfew {
namespace {

constexpr std::size_t max_wrong = 2;       // letters
constexpr std::size_t max_compared = 200;  // letters

/// Letters to change, add, leave out, or swap with their neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;  // the row before the last
  std::vector<std::size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      const bool is_swap = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_swap) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last.back();
}

/// Without capital letters, and without blanks around it.
std::string plain_form(std::string_view name) {
  const std::size_t begin = std::min(name.find_first_not_of(" \t"), name.size());
  std::string plain(name.substr(begin, name.find_last_not_of(" \t") + 1 - begin));
  for (char& c : plain) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return plain;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  const std::string plain = plain_form(name);
  for (const std::string& other : known) {
    if (other != name && plain_form(other) == plain) return other;
  }
  std::string nearest;
  std::size_t least = std::min(max_wrong, name.size() / 2) + 1;
  for (const std::string& other : known) {
    // Names of other lengths are not near; long names would take long to compare.
    const std::size_t difference = std::max(name.size(), other.size()) - std::min(name.size(), other.size());
    if (difference >= least || name.size() > max_compared) continue;
    if (const std::size_t distance = edit_distance(name, other); distance < least) {
      least = distance;
      nearest = other;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  return fmt::format("known: {}", fmt::join(known, ", "));
}

std::string nearest_or_nothing(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : fmt::format("did you mean {}? ", in_quotes(nearest));
}

}  // namespace askfew

#include "askfew/protocol/aim.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::uint64_t most_kept = 500;
constexpr std::uint64_t first_choice = 100;  // labels before the first choice
constexpr std::uint64_t choose_every = 8;    // labels
constexpr double max_weight = 20;
constexpr double needed_gain = 0.8;   // in F, times 1/sqrt(positives + 1), for another cut than 0
constexpr double share_of_cut = 0.5;  // of the best cut for F: the asked labels are the hard ones
constexpr std::size_t per_label = 3;

struct Asked {
  double margin;
  bool positive;
  double weight;
};

}  // namespace

/// Sums of weights if predictions are positive above a cut.
struct AimedCut::Counts {
  double positives = 0;
  double true_positives = 0;
  double false_positives = 0;

  [[nodiscard]] double f1() const {
    return 2 * true_positives / (true_positives + false_positives + positives);
  }
  [[nodiscard]] double recall() const { return true_positives / positives; }
  [[nodiscard]] double precision() const {
    const double called = true_positives + false_positives;
    return called > 0 ? true_positives / called : 1;
  }
};

Aim parse_aim(std::string_view text) {
  if (text == "accuracy") return {};
  if (text == "f1") return {.kind = Aim::Kind::f1};
  for (const auto& [name, kind] : {std::pair<std::string_view, Aim::Kind>{"recall=", Aim::Kind::recall},
                                   {"precision=", Aim::Kind::precision}}) {
    if (!text.starts_with(name)) continue;
    const std::string_view number = text.substr(name.size());
    double level = 0;
    const auto [past, error] = std::from_chars(number.data(), number.data() + number.size(), level);
    if (error == std::errc{} && past == number.data() + number.size() && level > 0 && level < 1) {
      return {.kind = kind, .level = level};
    }
  }
  throw ConfigError(
      fmt::format("aim {} is none of: accuracy, f1, recall=R, precision=P with a share above 0 and below 1, "
                  "e.g. recall=0.9",
                  in_quotes(text)));
}

std::string text_of(const Aim& aim) {
  switch (aim.kind) {
    case Aim::Kind::accuracy:
      return "accuracy";
    case Aim::Kind::f1:
      return "f1";
    case Aim::Kind::recall:
      return fmt::format("recall={}", aim.level);
    case Aim::Kind::precision:
      break;
  }
  return fmt::format("precision={}", aim.level);
}

void AimedCut::learn(double margin, Label y, double chance) {
  const double weight = std::min(max_weight, 1 / chance);
  const double label = y == Label::positive ? 1 : 0;
  if (labels_ < most_kept) {
    kept_.insert(kept_.end(), {margin, label, weight});
  } else {
    const std::size_t place = per_label * (labels_ % most_kept);
    kept_[place] = margin;
    kept_[place + 1] = label;
    kept_[place + 2] = weight;
  }
  ++labels_;
  if (labels_ >= first_choice && labels_ % choose_every == 0) choose();
}

/// How good a cut is; of cuts that reach the level of recall or precision, the one with more of the other.
double AimedCut::value(const Counts& counts) const {
  switch (aim_.kind) {
    case Aim::Kind::recall:
      return counts.recall() >= aim_.level ? 1 + counts.precision() : counts.recall();
    case Aim::Kind::precision:
      return counts.precision() >= aim_.level ? 1 + counts.recall() : counts.precision();
    case Aim::Kind::accuracy:
    case Aim::Kind::f1:
      break;
  }
  return counts.f1();
}

/// Tries all cuts halfway between two margins of labels, from above.
void AimedCut::choose() {
  std::vector<Asked> asked;
  for (std::size_t k = 0; k < kept_.size(); k += per_label) {
    asked.push_back({kept_[k], kept_[k + 1] > 0, kept_[k + 2]});
  }
  std::stable_sort(asked.begin(), asked.end(),
                   [](const Asked& a, const Asked& b) { return a.margin > b.margin; });
  Counts counts;
  double positives = 0;
  for (const Asked& one : asked) {
    if (!one.positive) continue;
    counts.positives += one.weight;
    positives += 1;
  }
  cut_ = 0;
  if (positives == 0 || positives == static_cast<double>(asked.size())) return;
  double best = -1;
  double best_cut = 0;
  double at_zero = value(counts);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    (asked[k].positive ? counts.true_positives : counts.false_positives) += asked[k].weight;
    const double next = k + 1 < asked.size() ? asked[k + 1].margin : asked[k].margin - 1;
    if (asked[k].margin > 0 && next <= 0) at_zero = value(counts);
    if (next == asked[k].margin || value(counts) <= best) continue;
    best = value(counts);
    best_cut = asked[k].margin + (next - asked[k].margin) / 2;
  }
  if (aim_.kind != Aim::Kind::f1) {
    cut_ = best_cut;
  } else if (best > at_zero + needed_gain / std::sqrt(positives + 1)) {
    cut_ = share_of_cut * best_cut;
  }
}

bool AimedCut::consistent() const {
  return kept_.size() == per_label * std::min(labels_, most_kept);
}

}  // namespace askfew

#include "askfew/protocol/aim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <optional>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/protocol/calibrated_cut.h"

namespace askfew {
namespace {

constexpr std::uint64_t most_kept = 200;
constexpr std::uint64_t first_choice = 20;  // labels before the first choice
constexpr std::uint64_t choose_every = 8;   // labels
constexpr std::uint64_t first_calibrated = 8;
constexpr std::uint64_t calibrate_every = 4;
constexpr std::uint64_t most_margins = 1000;
constexpr double max_weight = 20;
constexpr double needed_gain = 0.1;   // in F, times 1/sqrt(positives + 1), for another cut than 0
constexpr double share_of_cut = 0.7;  // of the best cut for F
constexpr double doubt = 2;           // labels, against recall and precision
constexpr std::size_t per_label = 4;

// The cuts of earlier versions follow.

struct Asked {
  double margin;
  bool positive;
  double weight;
};

/// Sums of weights if predictions are positive above a cut.
struct Counts {
  double passed = 0;     ///< positive predictions on rounds that could not be asked
  double positives = 0;  ///< of the asked labels
  double true_positives = 0;
  double false_positives = 0;

  [[nodiscard]] double f1() const {
    const double right = passed + true_positives;
    const double either = passed + right + false_positives + positives;
    return either > 0 ? 2 * right / either : 0;
  }
  [[nodiscard]] double recall() const { return (passed + true_positives) / (passed + positives + doubt); }
  [[nodiscard]] double precision() const {
    return (passed + true_positives) / (passed + true_positives + false_positives + doubt);
  }
};

/// Calls f(cut, counts) for the cuts between the margins of the labels, from above to below all margins.
template <class F>
void for_each_cut(const std::vector<Asked>& asked, Counts counts, F&& f) {
  f(asked.front().margin, counts);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    (asked[k].positive ? counts.true_positives : counts.false_positives) += asked[k].weight;
    const double next = k + 1 < asked.size() ? asked[k + 1].margin : asked[k].margin - 2;
    if (next != asked[k].margin) f(asked[k].margin + (next - asked[k].margin) / 2, counts);
  }
}

Counts counts_at_zero(const std::vector<Asked>& asked, Counts counts) {
  for (const Asked& one : asked) {
    if (one.margin > 0) (one.positive ? counts.true_positives : counts.false_positives) += one.weight;
  }
  return counts;
}

/// A part of the cut with the largest F, if that is worth more than chance.
double cut_for_f1(const std::vector<Asked>& asked, const Counts& none_called, double positives) {
  double best = -1;
  double best_cut = 0;
  for_each_cut(asked, none_called, [&](double cut, const Counts& counts) {
    if (counts.f1() <= best) return;
    best = counts.f1();
    best_cut = cut;
  });
  const double at_zero = counts_at_zero(asked, none_called).f1();
  return best > at_zero + needed_gain / std::sqrt(positives + 1) ? share_of_cut * best_cut : 0;
}

/// The largest cut that reaches the recall; below all margins if none does.
double cut_for_recall(const std::vector<Asked>& asked, const Counts& none_called, double level) {
  std::optional<double> found;
  for_each_cut(asked, none_called, [&](double cut, const Counts& counts) {
    if (!found && counts.recall() >= level) found = cut;
  });
  return std::min(0.0, found.value_or(asked.back().margin - 1));
}

/// The smallest cut that reaches the precision; the largest margin if none does.
double cut_for_precision(const std::vector<Asked>& asked, const Counts& none_called, double level) {
  std::optional<double> found;
  for_each_cut(asked, none_called, [&](double cut, const Counts& counts) {
    if (counts.precision() >= level) found = cut;
  });
  return std::max(0.0, found.value_or(asked.front().margin));
}

}  // namespace

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
  throw ConfigError(fmt::format(
      "aim {} is none of: accuracy, f1, recall=R, precision=P with a share above 0 and below 1, e.g. "
      "recall=0.9",
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

void AimedCut::see(double margin) {
  if (rounds_ < most_margins) {
    margins_.push_back(margin);
  } else {
    margins_[rounds_ % most_margins] = margin;
  }
  ++rounds_;
}

void AimedCut::learn(double margin, Label y, double chance) {
  if (aim_.calibrated) see(margin);
  // The chance of a label that was told without a question is unknown.
  const double weight = chance > 0 ? std::min(max_weight, 1 / chance) : 1;
  const std::array one{margin, y == Label::positive ? 1.0 : 0.0, weight, std::exchange(passed_, 0)};
  if (labels_ < most_kept) {
    kept_.insert(kept_.end(), one.begin(), one.end());
  } else {
    const auto place = static_cast<std::ptrdiff_t>(per_label * (labels_ % most_kept));
    std::copy(one.begin(), one.end(), kept_.begin() + place);
  }
  ++labels_;
  if (aim_.calibrated) {
    if (labels_ >= first_calibrated && labels_ % calibrate_every == 0) choose_calibrated();
  } else if (labels_ >= first_choice && labels_ % choose_every == 0) {
    choose();
  }
}

void AimedCut::choose_calibrated() {
  std::vector<LabelledMargin> asked;
  for (std::size_t k = 0; k < kept_.size(); k += per_label) asked.push_back({kept_[k], kept_[k + 1] > 0});
  cut_ = calibrated_cut(aim_, asked, margins_);
}

void AimedCut::choose() {
  std::vector<Asked> asked;
  Counts none_called;
  double positives = 0;
  for (std::size_t k = 0; k < kept_.size(); k += per_label) {
    asked.push_back({kept_[k], kept_[k + 1] > 0, kept_[k + 2]});
    none_called.passed += kept_[k + 3];
    none_called.positives += asked.back().positive ? asked.back().weight : 0;
    positives += asked.back().positive ? 1 : 0;
  }
  std::stable_sort(asked.begin(), asked.end(),
                   [](const Asked& a, const Asked& b) { return a.margin > b.margin; });
  switch (aim_.kind) {
    case Aim::Kind::recall:
      cut_ = cut_for_recall(asked, none_called, aim_.level);
      break;
    case Aim::Kind::precision:
      cut_ = cut_for_precision(asked, none_called, aim_.level);
      break;
    case Aim::Kind::accuracy:
    case Aim::Kind::f1:
      cut_ = cut_for_f1(asked, none_called, positives);
  }
}

bool AimedCut::consistent() const {
  return kept_.size() == per_label * std::min(labels_, most_kept) && passed_ >= 0 &&
         margins_.size() == std::min(rounds_, most_margins);
}

}  // namespace askfew

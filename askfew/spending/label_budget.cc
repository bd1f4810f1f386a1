#include "askfew/spending/label_budget.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <limits>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/core/tally.h"

namespace askfew {
namespace {

struct Period {
  std::string_view name;
  std::int64_t seconds;
};
constexpr std::array periods{Period{"minute", 60}, Period{"hour", 3600}, Period{"day", 86400},
                             Period{"week", 7 * 86400}};

[[noreturn]] void refuse(std::string_view text) {
  throw ConfigError(fmt::format(
      "budget {} is neither a number of labels (500), nor a share of them (5%), nor a number for every "
      "minute, hour, day or week (200/day){}",
      in_quotes(text),
      text.find(',') == text.npos ? "" : "; thousands have no comma (5000), and decimals a point (0.5%)"));
}

/// Reads and removes the number at the beginning of a text.
double take_number(std::string_view& rest, std::string_view text) {
  double value = 0;
  const auto [past, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) refuse(text);
  rest.remove_prefix(static_cast<std::size_t>(past - rest.data()));
  return value;
}

void expect_in_range(double number, bool is_share, std::string_view text) {
  const double most = is_share ? 100 : static_cast<double>(max_rounds);
  if (!(number > 0 && number <= most)) {
    throw ConfigError(fmt::format("budget {} is out of range, accepted: more than 0 and at most {}",
                                  in_quotes(text), is_share ? "100%" : fmt::format("{}", max_rounds)));
  }
  // 5.000 is five thousand in many countries.
  if (!is_share && (number != std::floor(number) || text.find('.') != text.npos)) {
    throw ConfigError(
        fmt::format("budget {} is not a whole number of labels (500, without a point); a share of them has a "
                    "percent sign (5%)",
                    in_quotes(text)));
  }
}

}  // namespace

LabelBudget parse_budget(std::string_view text) {
  std::string_view rest = text;
  const double number = take_number(rest, text);
  if (rest == "%") {
    expect_in_range(number, true, text);
    return {.kind = LabelBudget::Kind::share, .amount = number / 100};
  }
  if (rest.empty()) {
    expect_in_range(number, false, text);
    return {.kind = LabelBudget::Kind::count, .amount = number};
  }
  for (const Period& period : periods) {
    if (rest.substr(0, 1) == "/" && rest.substr(1) == period.name) {
      expect_in_range(number, false, text);
      return {.kind = LabelBudget::Kind::period, .amount = number, .period = period.seconds};
    }
  }
  refuse(text);
}

std::string text_of(const LabelBudget& budget) {
  switch (budget.kind) {
    case LabelBudget::Kind::none:
      return "none";
    case LabelBudget::Kind::share:
      return fmt::format("{:.15g}%", 100 * budget.amount);  // without digits from rounding
    case LabelBudget::Kind::count:
      return fmt::format("{}", budget.amount);
    case LabelBudget::Kind::period:
      break;
  }
  for (const Period& period : periods) {
    if (period.seconds == budget.period) return fmt::format("{}/{}", budget.amount, period.name);
  }
  return fmt::format("{} in {} s", budget.amount, budget.period);
}

double labels_in(double share, double rounds) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const double labels = share * rounds;
  const double nearest = std::round(labels);
  return std::abs(labels - nearest) <= rounding * nearest ? nearest : labels;
}

void check(const Spending& spending) {
  const LabelBudget& budget = spending.budget;
  const bool share = budget.kind == LabelBudget::Kind::share;
  if (!(spending.audit >= 0 && spending.audit <= 1)) {
    throw ConfigError("an audit is a probability: at least 0% and at most 100%");
  }
  if (!budget.is_set()) return;
  if (!(budget.amount > 0 && budget.amount <= (share ? 1 : static_cast<double>(max_rounds)))) {
    throw ConfigError("a budget is more than 0 and at most all labels");
  }
  if (budget.kind == LabelBudget::Kind::period && budget.period <= 0)
    throw ConfigError("a period has no length");
  const double rate = budget.horizon > 0 ? budget.amount / static_cast<double>(budget.horizon) : 1;
  const double most = 0.8 * (share ? budget.amount : rate);
  if (spending.audit > most) {
    throw ConfigError(fmt::format(
        "the audit would take more than 80% of the budget: nothing is left to the rule; an audit of "
        "{:g}% fits",
        std::floor(1e8 * most) / 1e6));
  }
}

}  // namespace askfew

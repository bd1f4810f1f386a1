#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askfew {

/// The number of labels that a task may ask.
struct LabelBudget {
  enum class Kind : std::uint8_t {
    none,   ///< no limit
    share,  ///< this share of the rounds
    count,  ///< this many labels
    period  ///< this many labels in every period of the stream's own time
  };
  enum class Plan : std::uint8_t {
    even,      ///< after the first labels, the same number in every round: budgets of earlier versions
    early,     ///< many labels early, when they teach most; the audit may find none left: earlier versions
    reserved,  ///< early, after the labels of the audit are set aside: earlier versions
    spaced     ///< reserved; the longer the run, the more rounds between two changes of the scale
  };
  Kind kind = Kind::none;
  double amount = 0;
  std::int64_t period = 0;    ///< seconds
  std::uint64_t horizon = 0;  ///< rounds that the budget covers; 0: unknown
  Plan plan = Plan::spaced;

  [[nodiscard]] bool is_set() const { return kind != Kind::none; }
  bool operator==(const LabelBudget&) const = default;
};

/// The number of labels in a share of the rounds, with a fraction. 29% of 100 rounds give exactly 29 labels,
/// although 0.29 is not a binary fraction.
double labels_in(double share, double rounds);

/// `500`, `5%`, `200/day`, also `/hour`, `/minute` and `/week`. THROWS: ConfigError.
LabelBudget parse_budget(std::string_view text);
/// The text that parse_budget accepts, without the horizon.
std::string text_of(const LabelBudget& budget);

/// The spending limits of a sampler, including the audit.
struct Spending {
  LabelBudget budget;
  double audit = 0;  ///< every label is asked at least with this probability, with a separate coin
  /// Are forecasts of mistakes fitted to the stream? False in models and ledgers of earlier versions.
  bool fits_forecasts = true;

  [[nodiscard]] bool is_set() const { return budget.is_set() || audit > 0; }
  bool operator==(const Spending&) const = default;
};
/// THROWS: ConfigError if the budget or the audit is impossible.
void check(const Spending& spending);

}  // namespace askfew

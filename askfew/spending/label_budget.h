#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askfew {

/// How many labels a task may ask for.
struct LabelBudget {
  enum class Kind : std::uint8_t {
    none,   ///< as many as the rule likes
    share,  ///< this share of the rounds
    count,  ///< this many labels
    period  ///< this many labels in every period of the stream's own time
  };
  Kind kind = Kind::none;
  double amount = 0;
  std::int64_t period = 0;    ///< seconds
  std::uint64_t horizon = 0;  ///< rounds that the budget is for; 0: nobody knows

  [[nodiscard]] bool is_set() const { return kind != Kind::none; }
  bool operator==(const LabelBudget&) const = default;
};

/// How many labels a share of rounds is; the last may be a part of one. 29% of 100 rounds are 29 labels, and
/// not a hair less because 0.29 is no binary fraction.
double labels_in(double share, double rounds);

/// `500`, `5%`, `200/day`, also `/hour`, `/minute` and `/week`. THROWS: ConfigError.
LabelBudget parse_budget(std::string_view text);
/// The same text again; the horizon is not in it.
std::string text_of(const LabelBudget& budget);

/// What a sampler may spend, and what of it goes to chance.
struct Spending {
  LabelBudget budget;
  double audit = 0;  ///< every label is asked at least with this probability, on a coin of its own

  [[nodiscard]] bool is_set() const { return budget.is_set() || audit > 0; }
  bool operator==(const Spending&) const = default;
};
/// THROWS: ConfigError for what nobody can spend.
void check(const Spending& spending);

}  // namespace askfew

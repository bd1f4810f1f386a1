#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/core/label.h"
#include "askfew/estimates/forecast_kind.h"

namespace askfew {

/// The probability that a prediction is wrong, forecast before the coin of its round is tossed. A good
/// forecast makes the intervals of CountSequence narrower; any forecast keeps them valid.
///
/// Predictions are put into 8 bins by z = |m|/(|m| + the mean of |m|), positive and negative ones apart. The
/// forecast of a bin is the share of mistakes among its asked labels; 12 labels with the share (1 - z)^k/2
/// count as seen before; and at most 1/2. The power k is the one of 13, from 1/2 to 8, with which all asked
/// labels are likeliest. (The earlier kind has 6 labels and k = 1.) Forecasts change only where a period
/// begins; periods grow by a half. So the forecast of a round can be computed again when its label comes late
/// or is corrected, and only the periods are kept: at most 90.
class MistakeForecast {
 public:
  static constexpr double largest = 0.5;

  explicit MistakeForecast(ForecastKind kind = ForecastKind::fitted);

  /// The forecast for a round, from 1, that has been added, or that comes next.
  [[nodiscard]] double of(std::uint64_t round, Label prediction, double margin) const;
  /// Ends a round. REQUIRES: rounds ascend.
  void add(std::uint64_t round, double margin);
  /// The label of an added round has come, or is taken back.
  void learn(std::uint64_t round, Label prediction, double margin, bool wrong) {
    change(round, prediction, margin, wrong, 1);
  }
  void unlearn(std::uint64_t round, Label prediction, double margin, bool wrong) {
    change(round, prediction, margin, wrong, -1);
  }

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("margins", self.margins_);
    visit("labels", self.labels_);
    visit("mistakes", self.mistakes_);
    visit("periods", self.periods_);
  }

 private:
  static constexpr std::size_t bins = 8;
  /// One number for each bin of negative predictions, then of positive ones. Saved as an array of exactly
  /// that length.
  struct Bins {
    std::array<double, 2 * bins> at{};

    [[nodiscard]] std::vector<double> values() const { return {at.begin(), at.end()}; }
    void set_values(const std::vector<double>& values);
  };
  struct Period {
    std::uint64_t before = 0;  // rounds before the period
    double mean = 1;           // of |m|
    Bins forecasts;
  };
  /// Saved as an array: all numbers of each period.
  struct Periods {
    std::vector<Period> all;

    [[nodiscard]] std::vector<double> values() const;
    void set_values(const std::vector<double>& values);
  };

  [[nodiscard]] Bins forecasts() const;
  [[nodiscard]] double likeliest_power() const;
  [[nodiscard]] const Period& period_of(std::uint64_t round) const;
  static std::size_t bin_of(Label prediction, double margin, double mean);
  void change(std::uint64_t round, Label prediction, double margin, bool wrong, double sign);

  ForecastKind kind_;
  std::uint64_t rounds_ = 0;  // rounds added
  double margins_ = 0;        // sum of |m| over these rounds
  Bins labels_;
  Bins mistakes_;
  Periods periods_;
};

}  // namespace askfew

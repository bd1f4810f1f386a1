#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "askfew/estimates/forecast_kind.h"

namespace askfew {

struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

/// The numbers h and eta that a CountSequence mixes over, and their weights. `floor`: every covered round has
/// at least this probability of being asked. The grids are geometric, from values for a few labels down to
/// values for millions of labels: the bounds stay within a third of those of the best h in hindsight. Where
/// the number of rounds is known, most of the weight is on the values that are best at the end.
///
/// With h the forecast q of a round counts as a part of q. The expected logarithm of a round's factor is
/// largest for about q/(1 + x), x = (e^h - 1)/floor. From above the same formula has -(1 - e^-eta)/floor for
/// x; but where q is too large, much larger parts cost much: q (1 + |x|/2) is taken.
struct CountGrid {
  static constexpr std::size_t size = 20;
  using Row = std::array<double, size>;

  /// `horizon`: rounds to come, 0 if unknown. REQUIRES: 0 < floor <= 1.
  explicit CountGrid(double floor, std::uint64_t horizon = 0, ForecastKind kind = ForecastKind::fitted);

  double floor;
  Row h;            ///< from 1 down to 0.003 floor
  Row growth;       ///< e^h - 1
  Row eta;          ///< -ln(1 - shrink), below -ln(1 - floor)
  Row shrink;       ///< from 0.97 floor down to 0.003 of that
  Row low_part;     ///< of the forecast, for each h
  Row high_part;    ///< of the forecast, for each eta
  Row low_weight;   ///< logarithms; the weights sum to 1
  Row high_weight;  ///< as low_weight
};

/// A confidence sequence for the number of rounds of a run that have a property l_s in {0, 1}, for example a
/// mistake. The property is visible only where a label was asked. The bounds hold at ALL times
/// together with probability 1 - alpha.
///
/// Round s is asked (A_s = 1) with a known probability p_s, fixed with l_s before the coin is tossed. For any
/// h > 0 let g = ln(1 + (e^h - 1)/p), so that p e^g + 1 - p = e^h. Then M_t = exp(sum_s l_s (A_s g_s - h)) is
/// a nonnegative martingale that begins at 1: each factor has mean 1, whatever the coins before it have done
/// to p_s and l_s. A mixture over h with weights w is a martingale as well. By Ville's inequality, with
/// probability 1 - alpha no M_t ever exceeds 1/alpha, and the count L = sum_s l_s is at least the solution of
///     sum_j w_j exp(S_j - h_j L) = 1/alpha,     S_j = sum of g_s over the rounds seen to have the property.
/// Likewise from above with exp(eta L + G_j), g = ln(1 - (1 - e^-eta)/p) < 0, which needs 1 - e^-eta < p in
/// every round: that is why the upper bound needs a floor under the probabilities.
///
/// A forecast q_s of l_s, made before the coin is tossed, takes the place of 0: with u = l - q and
/// g = ln(1 + (e^(hu) - 1)/p), exp(A g - h u) has mean 1 as well. Now S_j is the sum of g over ALL labels
/// that were asked, and h_j times the sum of q over all rounds is added. The variance is that of l - q
/// instead of that of l. It needs e^(hu) > 1 - p for u = -q, which the parts of the grid ensure for forecasts
/// up to 1/2. From above -eta takes the place of h.
///
/// Nothing is assumed about the data; the coins are all the randomness. Rounds that are always asked (p = 1)
/// are counted exactly. A round that is not asked adds its forecast. Memory is constant.
class CountSequence {
 public:
  /// The part of alpha with which the lower bound of a count may fail; the upper bound has the rest. Where
  /// few rounds have the property, the upper bound is by far the wider side: it gains more by a larger part
  /// than the lower bound loses.
  static constexpr double low_share = 1.0 / 3;

  explicit CountSequence(std::shared_ptr<const CountGrid> grid);

  /// A round whose label is asked with a chance from the floor to below 1 has this forecast. Other rounds
  /// have none. REQUIRES: 0 <= forecast <= 1/2.
  void expect(double forecast) { forecasts_ += forecast; }

  /// A label that was asked with probability `chance` has come; `counts`: the round has the property. A label
  /// with a chance below the floor tells only about its own round. REQUIRES: 0 < chance <= 1; the forecast of
  /// the round.
  void label(bool counts, double chance, double forecast = 0) { change(counts, chance, forecast, 1); }
  /// Takes a label back, as if it had not come. For a correction: retract the old label, then add the new
  /// label.
  void retract(bool counts, double chance, double forecast = 0) { change(counts, chance, forecast, -1); }

  /// mark_missing: an asked label has not come (yet); mark_arrived: it came after all. Until the label comes,
  /// the lower bound assumes that the property is absent and the upper bound assumes that it is present. The
  /// bounds are valid even if the arrival of labels depends on the labels.
  void mark_missing(double chance, double forecast = 0) { change_lost(chance, forecast, 1); }
  void mark_arrived(double chance, double forecast = 0) { change_lost(chance, forecast, -1); }

  /// Adds the rounds of another sequence; no round may be in both. REQUIRES: the same floor.
  void merge(const CountSequence& other);

  /// Bounds of the count, whole numbers: the lower one ever fails with probability below low_share alpha,
  /// both together with probability below alpha. `rounds`: the number of rounds, asked or not; `uncovered`:
  /// rounds with a probability below the floor that were not asked.
  [[nodiscard]] Interval bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const;

  /// Is it refuted, at the level `alpha` for all times together, that L + b M is at most total (1 - b)? M is
  /// the count of `other`, about other rounds. A product of martingales about different rounds is a
  /// martingale, so that exp(S_j + S'(b h_j) - h_j (L + b M)) is one for every j, with S' of `other`. S' is
  /// known at the numbers of the grid. Between them a straight line is taken: the product is then a geometric
  /// mean of two martingales, and its expectation never grows. Where an exponent falls towards b = 1, its
  /// least value from b to 1 is taken: what is refuted at b is refuted at every larger b. REQUIRES: the same
  /// floor, 0 <= b <= 1.
  [[nodiscard]] bool refutes_at_most(double total, const CountSequence& other, double b, double alpha) const;
  /// Is it refuted that L + b M is at least total (1 - b)? Then it is refuted at every smaller b.
  /// `uncovered`, `other_uncovered`: rounds of the two counts with a probability below the floor that were
  /// not asked.
  [[nodiscard]] bool refutes_at_least(double total, std::uint64_t uncovered, const CountSequence& other,
                                      std::uint64_t other_uncovered, double b, double alpha) const;

  /// The least and the largest count that the labels themselves allow.
  [[nodiscard]] Interval possible(std::uint64_t rounds) const {
    return {.low = present_, .high = static_cast<double>(rounds) - absent_};
  }

  /// Bounds of the EXPECTED count, the sum over rounds of the probability, given all that came before, that
  /// the round has the property. The instances count as random as well, so that an unlucky stretch is
  /// distinguished from a changed stream. With v that probability and g as above, the mean of e^(g A) is
  /// e^(-hq) (1 + v (e^h - 1)) <= exp(v (e^h - 1) - hq): the same sums S with e^h - 1 for h, and G with
  /// 1 - e^-eta for eta, give bounds for all times. REQUIRES: the coin does not depend on the label, given
  /// what came before.
  [[nodiscard]] Interval expected_bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const;

  /// An estimate of the count by self-normalised inverse-probability weighting. Among rounds with p < 1, the
  /// mean of l - q over the labels that came, weighted by 1/p, estimates the mean over all such rounds.
  [[nodiscard]] double value(std::uint64_t rounds) const;

  [[nodiscard]] double floor() const { return grid_->floor; }

  static void state(auto& self, auto& visit) {
    visit("present", self.present_);
    visit("absent", self.absent_);
    visit("sure", self.sure_);
    visit("sure_present", self.sure_present_);
    visit("sure_lost", self.sure_lost_);
    visit("weight", self.weight_);
    visit("weight_present", self.weight_present_);
    visit("low", self.low_);
    visit("high", self.high_);
    visit("forecasts", self.forecasts_);
    visit("weight_forecast", self.weight_forecast_);
  }

 private:
  /// One number for each point of the grid. Saved as an array of exactly that length.
  struct Sums {
    CountGrid::Row at{};

    [[nodiscard]] std::vector<double> values() const { return {at.begin(), at.end()}; }
    void set_values(const std::vector<double>& values);
  };

  void change(bool counts, double chance, double forecast, double sign);
  void change_lost(double chance, double forecast, double sign);
  void change_low(bool counts, double chance, double forecast, double sign);
  void change_high(bool counts, double chance, double forecast, double sign);
  /// The exponents of the martingales, but for the term of the count.
  [[nodiscard]] CountGrid::Row low_sums() const;
  [[nodiscard]] CountGrid::Row high_sums() const;
  [[nodiscard]] bool is_sure(double chance) const { return chance >= 1 || chance < grid_->floor; }

  std::shared_ptr<const CountGrid> grid_;
  double present_ = 0;          // labels that came, with the property
  double absent_ = 0;           // labels that came, without the property
  double sure_ = 0;             // labels that came and had p = 1
  double sure_present_ = 0;     // labels that came and had p = 1, with the property
  double sure_lost_ = 0;        // labels that had p = 1 and have not come
  double weight_ = 0;           // sum of 1/p over the labels that came and had p < 1
  double weight_present_ = 0;   // the same sum over labels with the property
  double weight_forecast_ = 0;  // sum of q/p over these labels
  double forecasts_ = 0;        // sum of q over all rounds
  Sums low_;                    // S
  Sums high_;                   // G
};

}  // namespace askfew

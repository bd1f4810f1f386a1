#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace askfew {

struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

/// The numbers h and eta that a CountSequence mixes over, and their weights. `floor`: every round that counts
/// as covered has at least this probability of being asked. Geometric, from what suits a handful of labels
/// down to what suits millions: bounds stay within a third of those of the best h in hindsight.
struct CountGrid {
  static constexpr std::size_t size = 20;
  using Row = std::array<double, size>;

  /// REQUIRES: 0 < floor <= 1.
  explicit CountGrid(double floor);

  double floor;
  Row h;            ///< from 1 down to 0.003 floor
  Row growth;       ///< e^h - 1
  Row eta;          ///< -ln(1 - shrink), below -ln(1 - floor)
  Row shrink;       ///< from 0.97 floor down to 0.003 of that
  Row low_weight;   ///< logarithms; the weights sum to 1
  Row high_weight;  ///< likewise
};

/// A confidence sequence for how many of a run's rounds have some property l_s in {0, 1}, say a mistake, that
/// is seen only where a label was asked: bounds that hold at ALL times together with probability 1 - alpha.
///
/// Round s is asked (A_s = 1) with a known probability p_s, fixed with l_s before the coin is tossed. For any
/// h > 0 let g = ln(1 + (e^h - 1)/p), so that p e^g + 1 - p = e^h. Then M_t = exp(sum_s l_s (A_s g_s - h)) is
/// a nonnegative martingale that begins at 1: each factor has mean 1, whatever the coins before it have done
/// to p_s and l_s. So is a mixture over h with weights w. By Ville's inequality, with probability 1 - alpha
/// no M_t ever exceeds 1/alpha, and the count L = sum_s l_s is at least the solution of
///     sum_j w_j exp(S_j - h_j L) = 1/alpha,     S_j = sum of g_s over the rounds seen to have the property.
/// Likewise from above with exp(eta L + G_j), g = ln(1 - (1 - e^-eta)/p) < 0, which needs 1 - e^-eta < p in
/// every round: that is why the upper bound needs a floor under the probabilities.
///
/// Nothing is assumed about the data; the coins are all the randomness. Rounds asked for sure (p = 1) are
/// counted exactly. Rounds not asked cost nothing. Memory is constant.
class CountSequence {
 public:
  explicit CountSequence(std::shared_ptr<const CountGrid> grid);

  /// A label that was asked with probability `chance` has come; `counts`: has the round the property? One
  /// below the floor tells of its own round and of no other. REQUIRES: 0 < chance <= 1.
  void label(bool counts, double chance) { change(counts, chance, 1); }
  /// It is not true: as if the label had not come. For a correction, and then the right one.
  void retract(bool counts, double chance) { change(counts, chance, -1); }

  /// A label that was asked has not come, or not yet. Until it is found, the lower bound takes the property
  /// for absent and the upper bound for present: valid even if whether labels come depends on them.
  void mark_missing(double chance) { change_lost(chance, 1); }
  void mark_arrived(double chance) { change_lost(chance, -1); }

  /// The rounds of another sequence, none of them in this one, as well. REQUIRES: the same floor.
  void merge(const CountSequence& other);

  /// Bounds of the count, whole numbers: each of the two fails with probability below alpha/2, ever.
  /// `rounds`: how many there were, asked or not; `uncovered`: those of them that had less than the floor and
  /// were not asked.
  [[nodiscard]] Interval bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const;

  /// Bounds of the EXPECTED count, the sum over rounds of the probability, given all that came before, that
  /// the round has the property. What instances come is random as well then: a stretch that was unlucky is
  /// told from one that is different. With q that probability and g as above, the mean of e^(g l A) is
  /// 1 + q (e^h - 1) <= exp(q (e^h - 1)): the same sums S with e^h - 1 for h, and G with 1 - e^-eta for eta,
  /// give bounds for all times. REQUIRES: the coin does not depend on the label, given what came before.
  [[nodiscard]] Interval expected_bounds(double alpha, std::uint64_t rounds, std::uint64_t uncovered) const;

  /// The count by inverse-probability weighting, self-normalised: the share among the labels of rounds that
  /// were not sure to be asked, weighted by 1/p, is taken for the share among all such rounds.
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
  }

 private:
  /// One number for each point of the grid. Is saved as an array of that length and no other.
  struct Sums {
    CountGrid::Row at{};

    [[nodiscard]] std::vector<double> values() const { return {at.begin(), at.end()}; }
    void set_values(const std::vector<double>& values);
  };

  void change(bool counts, double chance, double sign);
  void change_lost(double chance, double sign);
  void change_low(double chance, double sign);
  void change_high(double chance, double sign);
  [[nodiscard]] bool is_sure(double chance) const { return chance >= 1 || chance < grid_->floor; }

  std::shared_ptr<const CountGrid> grid_;
  double present_ = 0;         // labels that came: the property was there
  double absent_ = 0;          // was not
  double sure_ = 0;            // of them, those that were sure to come
  double sure_present_ = 0;    // and have it
  double sure_lost_ = 0;       // sure to come, and have not
  double weight_ = 0;          // sum of 1/p over the others that came
  double weight_present_ = 0;  // over those that have it
  Sums low_;                   // S
  Sums high_;                  // G
};

}  // namespace askfew

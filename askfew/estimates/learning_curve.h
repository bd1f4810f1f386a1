#pragma once

// How much the error will fall with more labels: a curve that is fitted to the labels so far.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "askfew/estimates/count_sequence.h"

namespace askfew {

/// The error e(n) = rest + scale n^-power after n labels.
struct PowerLaw {
  double rest = 0;
  double scale = 0;
  double power = 0.5;

  [[nodiscard]] double error(double labels) const;
  /// The decrease of the error from n to n + more labels.
  [[nodiscard]] double gain(double labels, double more) const { return error(labels) - error(labels + more); }
};

/// The value of future labels.
struct StopAdvice {
  PowerLaw curve;
  double gain = 0;    ///< decrease of the error if the curve continues
  Interval interval;  ///< 95%
  /// Does the interval show that more labels help? It must lie above 0.
  [[nodiscard]] bool can_tell() const { return interval.low > 0; }
};

/// The error of a learner as a function of the labels it was given, from asked labels only, and the expected
/// gain of more labels: when to stop asking.
///
/// Rounds are put into bins of labels spent; each bin is larger than the bin before. The error in a bin is
/// estimated by inverse-probability weighting; its variance has two parts, from the coins and from the
/// instances. The power law with rest, scale >= 0 is fitted by weighted least squares for 20 powers from 0.1
/// to 2, and the best power wins. The interval is that of the profile likelihood: the gains of all laws that
/// fit nearly as well.
///
/// DIFFERS FROM a confidence interval: it assumes that the error follows a power law and continues to do so.
/// In a stream that drifts, the error does not. The memory is constant; a round that is not asked updates one
/// counter.
///
/// A label that comes late counts as spent when it comes, and gives information about the bin of its own
/// round. Until then, and for ever if the label never comes, the bin lacks the 1/p rounds that the label
/// stands for: missing labels are assumed to be missing at random.
class LearningCurve {
 public:
  /// A round whose label was asked with probability `chance`, and whether its prediction was wrong.
  struct Asked {
    bool wrong = false;
    double chance = 1;
    std::uint64_t ago = 0;  ///< number of rounds since then
  };

  void add() { ++bins_.last().rounds; }
  /// The label of an added round. For a correction, first retract the old label.
  void label(const Asked& asked);
  void retract(const Asked& asked);
  /// mark_missing: the label of a round was asked and has not come (yet). mark_arrived: the label came after
  /// all.
  void mark_missing(const Asked& asked) { bins_.of(asked.ago).lost += 1 / asked.chance; }
  void mark_arrived(const Asked& asked) { bins_.of(asked.ago).lost -= 1 / asked.chance; }

  /// Labels given so far.
  [[nodiscard]] double labels() const { return labels_; }
  /// The value of `more` labels. Nothing if there are fewer than 100 labels, or no mistake among them.
  [[nodiscard]] std::optional<StopAdvice> advice(double more) const;

  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
    visit("noise", self.noise_);
    visit("most_noise", self.max_noise_);  // the name in model files
    visit("bins", self.bins_);
  }

 private:
  struct Bin {
    double rounds = 0;
    double labels = 0;    // labels that came during the bin
    double mistakes = 0;  // sum of 1/p over the rounds known to be wrong: an estimate of the number of
                          // mistakes
    double lost = 0;      // sum of 1/p over the rounds whose labels have not come

    /// The number of rounds that `mistakes` covers.
    [[nodiscard]] double known() const { return rounds - lost; }
  };
  /// Saved as an array of the bins in use, so that a damaged file cannot contain too many.
  class Bins {
   public:
    static constexpr std::size_t most = 80;  // enough for millions of labels; the last bin takes all further
                                             // labels

    [[nodiscard]] Bin& last() { return bins_[used_ - 1]; }
    /// The bin of the round `ago` rounds before.
    [[nodiscard]] Bin& of(std::uint64_t ago);
    [[nodiscard]] std::span<const Bin> all() const { return {bins_.data(), used_}; }
    void start_next() {
      if (used_ < most) ++used_;
    }
    [[nodiscard]] std::vector<double> values() const;
    void set_values(const std::vector<double>& values);

   private:
    std::array<Bin, most> bins_{};
    std::size_t used_ = 1;
  };

  double labels_ = 0;
  double noise_ = 0;      // sum of (1-p)/p^2 over the wrong predictions: the coins' part of the variance
  double max_noise_ = 0;  // the largest of (1-p)/p^2, wrong or not
  Bins bins_;
};

}  // namespace askfew

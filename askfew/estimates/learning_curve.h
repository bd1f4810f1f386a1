#pragma once

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
  /// By how much the error falls from n to n + more labels.
  [[nodiscard]] double gain(double labels, double more) const { return error(labels) - error(labels + more); }
};

/// What labels to come are worth.
struct StopAdvice {
  PowerLaw curve;
  double gain = 0;    ///< by how much the error falls, if the curve goes on as it did
  Interval interval;  ///< 95%
  /// Whether the interval says that more labels help: it lies above 0.
  [[nodiscard]] bool can_tell() const { return interval.low > 0; }
};

/// The error of a learner against the labels that it was given, from asked labels only, and what the next
/// ones will bring: when to stop asking.
///
/// Rounds are put into bins of labels spent, each some larger than the one before. The error in a bin is
/// estimated by inverse-probability weighting; its variance has two parts, of the coins and of the instances.
/// The power law with rest, scale >= 0 is the one of least weighted squares, of 20 powers from 0.1 to 2. The
/// interval is that of the profile likelihood: the gains of all laws that fit nearly as well.
///
/// DIFFERS FROM a confidence interval: it presumes that the error follows a power law and goes on so. Where
/// the stream drifts it does not. The memory is constant; a round that is not asked costs a counter.
///
/// A label that comes late is one more that was spent when it comes, and tells of the bin of its own round.
/// Until then the bin is short of the 1/p rounds that the label would have stood for, and for ever if it
/// never comes: those who decline are presumed to do so by chance.
class LearningCurve {
 public:
  /// A round of which the label was asked with probability `chance`, and whether its prediction was wrong.
  struct Asked {
    bool wrong = false;
    double chance = 1;
    std::uint64_t ago = 0;  ///< how many rounds came after it
  };

  void add() { ++bins_.last().rounds; }
  /// The label of a round that was added; a correction takes it back first.
  void label(const Asked& asked);
  void retract(const Asked& asked);
  /// The label of a round was asked, and has not come, or not yet; it came after all.
  void mark_missing(const Asked& asked) { bins_.of(asked.ago).lost += 1 / asked.chance; }
  void mark_arrived(const Asked& asked) { bins_.of(asked.ago).lost -= 1 / asked.chance; }

  /// Labels given so far.
  [[nodiscard]] double labels() const { return labels_; }
  /// What `more` labels will bring. Nothing while there are less than 100 labels, or no mistake among them.
  [[nodiscard]] std::optional<StopAdvice> advice(double more) const;

  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
    visit("noise", self.noise_);
    visit("most_noise", self.max_noise_);  // models have this name
    visit("bins", self.bins_);
  }

 private:
  struct Bin {
    double rounds = 0;
    double labels = 0;    // that came meanwhile
    double mistakes = 0;  // sum of 1/p over the rounds known to be wrong: an estimate of how many were
    double lost = 0;      // sum of 1/p over the rounds whose labels have not come

    /// So many rounds the mistakes are of.
    [[nodiscard]] double known() const { return rounds - lost; }
  };
  /// Is saved as an array of the bins in use, so that a damaged one cannot have too many. Who loads it gets
  /// no more labels of rounds before.
  class Bins {
   public:
    static constexpr std::size_t most = 80;  // enough for millions of labels; the last one takes the rest

    [[nodiscard]] Bin& last() { return bins_[used_ - 1]; }
    /// That of a round so many rounds ago.
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
  double noise_ = 0;      // sum of (1-p)/p^2 over the labels that were wrong: the coins' part of the variance
  double max_noise_ = 0;  // the largest of (1-p)/p^2, wrong or not
  Bins bins_;
};

}  // namespace askfew

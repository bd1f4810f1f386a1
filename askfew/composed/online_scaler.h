#pragma once

// The online scaler: gives the features of a stream similar scales while the stream runs.

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "askfew/composed/centring.h"
#include "askfew/composed/feature_places.h"
#include "askfew/composed/feature_record.h"
#include "askfew/composed/scaling_pass.h"
#include "askfew/core/features.h"

namespace askfew {

/// A scaled instance. Feature 0 is the constant; feature i + 1 is feature i of the stream, its value is
/// `values` times `factor`.
struct ScaledInstance {
  std::vector<FeatureView::Index> indices;
  std::vector<FeatureView::Index> places;  ///< 0 is the constant, then 1 + the place; only if `has_places`
  std::vector<double> values;
  std::vector<double> given;           ///< scratch memory: the values before scaling, by place
  std::vector<std::uint64_t> present;  ///< scratch memory: a bit for every place that has such a value
  bool has_places = false;  ///< features have places of their own, and are in the order of their places
  std::size_t size = 0;     ///< of the first three vectors, the numbers that are used
  std::size_t placed = 0;   ///< the first ones of these: all if not `has_places`, else those with a place
  double factor = 1;        ///< of all features but the constant
  double squared_norm = 0;  ///< of the constant and the features
  double not_placed = 0;    ///< the part of the features without a place in it
  double norm_of_view = 0;  ///< the square of the norm of `view`
  double margin = 0;        ///< where the learner has one variance per weight: with its weights at that time
  double spread = 0;        ///< the same with its variances

  void add(std::size_t feature, double value) {
    indices[size] = static_cast<FeatureView::Index>(feature + 1);
    values[size] = value;
    ++size;
  }
  void add(std::size_t feature, std::size_t place, double value) {
    if (has_places) places[size] = static_cast<FeatureView::Index>(place + 1);
    add(feature, value);
  }
  /// The sums of a task, with the constant and the factor. REQUIRES: the factor was not applied.
  [[nodiscard]] ScaledSums with_constant(double constant, const FeatureRecord& of_constant,
                                         const ScaledSums& sums) const {
    return {.squares = sums.squares,
            .margin = of_constant.weight * constant + factor * sums.margin,
            .spread = of_constant.variance * constant * constant + factor * factor * sums.spread};
  }
  /// Takes the margin and the spread; returns the squares.
  double take(const ScaledSums& sums) {
    margin = sums.margin;
    spread = sums.spread;
    return sums.squares;
  }
  /// The indices of `view`.
  [[nodiscard]] const FeatureView::Index* rows() const { return has_places ? places.data() : indices.data(); }
  void apply_factor() {
    for (std::size_t k = 1; k < size; ++k) values[k] *= factor;
    factor = 1;
    norm_of_view = squared_norm - not_placed;
  }
  /// The same, with `constant` in place of the constant, and all times another factor. The factor then takes
  /// the other one back from the features.
  void apply_factor(double other, double constant) {
    const double norm = squared_norm - not_placed + (constant * constant - values[0] * values[0]);
    norm_of_view = other * other * std::max(0.0, norm);
    values[0] = constant * other;
    for (std::size_t k = 1; k < size; ++k) values[k] *= factor * other;
    factor = 1 / other;
  }
  /// By places, if features have them; without the others. REQUIRES: the factor was applied.
  [[nodiscard]] FeatureView view() const {
    return FeatureView::unchecked_sparse({rows(), placed}, {values.data(), placed}, norm_of_view);
  }
};

/// Gives the features of a stream like scales while the stream runs: from the instances so far, without their
/// labels. Not from a paper; docs/algorithms/scaled-logistic.md has the formulas.
///
///   common numbers            (x_i - mean)/deviation, while there are few features
///   other features            x_i/size_i, times idf_i
///   all                       at most 5 in size before idf; a constant is added
///   instance                  divided by |v|^norm q^(1 - norm), q the root mean square of |v| so far: with
///                             norm = 1 every instance has norm 1, with less a longer one stays longer
///
/// size_i is the same for all features if their scales are alike (the frequencies of words then keep their
/// proportions), and each feature's own if the scales differ widely. So is the deviation. idf is left out if
/// the values have it already, which shows in rarer features that are larger. With `rare` a feature that a
/// instances have is multiplied by a/(a + rare): most of what is seen for the first time never comes again.
class OnlineScaler {
 public:
  struct Options {
    bool grows = false;  ///< the number of features is found; `dimension` and `fixed` are not used
    FeaturePlaces::Order order = FeaturePlaces::Order::index;  ///< of the features' places, if it grows
    FeatureView::Index most_features = 2000;                   ///< for places; at least `max_centred`
    FeatureView::Index placed_at_once = 0;                     ///< by recurrence
    double idf_of_few = 1;             ///< the part of idf that is added while these are few, and settled
    FeatureView::Index dimension = 0;  ///< the number of features; 0: unknown, then no feature is centred
    bool fixed = false;                ///< features beyond the dimension are ignored
    double norm = 1;
    double rare = 0;
    double variance = 0;  ///< of a weight, in the record of a feature that is new
    bool operator==(const Options&) const = default;
  };
  explicit OnlineScaler(const Options& options);

  /// Most features that can be centred: a centred instance has all of them, not only the non-zero ones.
  static constexpr FeatureView::Index max_centred = 2000;

  /// The number of records that there are after this instance was seen.
  [[nodiscard]] std::size_t records_with(const FeatureView& x) const {
    return std::max(records_.size(), std::size_t{1} + extent_of(x));
  }
  /// Counts an instance, then scales it. THROWS: NumericFailure if its numbers are too large; then nothing
  /// has changed.
  void see(const FeatureView& x, double constant, ScaledInstance& out);
  /// The scaled instance. Features that were not seen yet are left out, or have the value 0.
  void scale(const FeatureView& x, double constant, ScaledInstance& out) const;

  /// The instances that were seen.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  /// The number of features so far; `most_features` + 1 stands for more, unless their order is that of
  /// indices.
  [[nodiscard]] FeatureView::Index features() const { return places_.features(); }
  /// The number of features that there may be.
  [[nodiscard]] double likely_features() const { return places_.likely_features(); }
  /// Do most features come again? If many were seen only once, many new ones will come. With more than
  /// `max_centred` features nobody counts: true.
  [[nodiscard]] bool is_settled() const { return features() > max_centred || places_.most_come_again(); }

  /// The record of the constant, then one per feature.
  [[nodiscard]] std::vector<FeatureRecord>& records() { return records_; }
  [[nodiscard]] const std::vector<FeatureRecord>& records() const { return records_; }

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    const bool has_order = !self.places_.are_by_index();
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("features", self.counts());
      if (has_order) visit("order", self.places_.order());
      if (self.places_.are_by_recurrence()) visit("found", std::uint64_t{self.features()});
    } else {
      std::vector<double> counts;
      std::vector<FeatureView::Index> order;
      visit("features", counts);
      if (has_order) visit("order", order);
      std::uint64_t found = 0;
      if (self.places_.are_by_recurrence()) visit("found", found);
      self.set_counts(counts, order, found);
    }
    visit("sums", self.sums_);
    visit("study", self.study_);
    visit("own", self.own_);
    visit("factor", self.factor_);
    visit("idf", self.idf_);
    if (self.options_.norm < 1) visit("norms", self.norms_);
    if (!self.options_.grows) return;
    visit("own_deviation", self.own_deviation_);
    visit("deviation_factor", self.deviation_factor_);
  }
  [[nodiscard]] bool consistent() const;
  bool operator==(const OnlineScaler&) const = default;

 private:
  /// Count and sum of squares of every feature, one after the other.
  [[nodiscard]] std::vector<double> counts() const;
  void set_counts(const std::vector<double>& counts, const std::vector<FeatureView::Index>& order,
                  std::uint64_t found);

  /// One past the last feature of x that is not ignored.
  [[nodiscard]] FeatureView::Index extent_of(const FeatureView& x) const {
    return fixed_ > 0 ? std::min(fixed_, x.extent()) : x.extent();
  }
  [[nodiscard]] std::size_t known() const { return records_.size() - 1; }
  [[nodiscard]] const FeatureRecord& feature(std::size_t i) const { return records_[i + 1]; }
  [[nodiscard]] const FeatureRecord& feature_at(std::size_t place) const {
    return feature(places_.feature_at(place));
  }
  [[nodiscard]] Centring centring() const;
  [[nodiscard]] double variance_of(std::size_t place, const FeatureRecord& seen) const;
  [[nodiscard]] double centred_value(std::size_t place, double value, const FeatureRecord& seen) const;
  [[nodiscard]] double own_part(const FeatureRecord& seen) const;
  void study_deviations();
  /// Of the features that are not centred, in this round.
  [[nodiscard]] Scaling scaling() const;
  [[nodiscard]] double factor_of(double squares) const;
  void follow_features();
  /// Calls f(place) for every place with a bit in `more` or in `frequent_`, in their order.
  template <class F>
  void for_each_frequent_or(const std::vector<std::uint64_t>& more, F&& f) const;
  void count(const FeatureView& x, FeatureView::Index extent);
  void study(const FeatureView& x);
  /// Begins an instance that has the features of x that have a record; returns their number.
  std::size_t begin_sparse(const FeatureView& x, double constant, ScaledInstance& out) const;
  /// These return the sum of the squares of the scaled features.
  double scale_by_places(const FeatureView& x, ScaledInstance& out) const;
  double scale_features(const FeatureView& x, double constant, ScaledInstance& out) const;
  void end(double constant, double squares, ScaledInstance& out) const;

  Options options_;
  FeaturePlaces places_;
  FeatureView::Index centred_;  // features with a place below this number may be centred
  FeatureView::Index fixed_;    // features from this number on are ignored; 0: none
  std::uint64_t rounds_ = 0;
  std::vector<FeatureRecord> records_;
  std::vector<double> sums_;  // of x, by place, of the features that may be centred
  // A bit for every place: of the features that may be centred, at least those that more than half of the
  // instances have. A feature begins to be one of them when an instance has it.
  std::vector<std::uint64_t> frequent_;
  // The sums over features of instances: 1, H, H^2, l, l^2, H l with H = ln idf_i, l = ln size_i.
  std::vector<double> study_ = std::vector<double>(6);
  double own_ = 0;     // rho: how much a feature's size is its own, in quarters from 0 to 1
  double factor_ = 1;  // exp(-(1 - rho) g), g the mean of l
  double idf_ = 1;     // e, from 0 to 1: how much idf is added
  double norms_ = 0;   // sum of |v|^2
  // The same as own_ and factor_, of the deviations of features that are centred. Only if the number of
  // features is found while the stream runs: earlier versions gave every feature its own.
  double own_deviation_ = 1;
  double deviation_factor_ = 1;
};

}  // namespace askfew

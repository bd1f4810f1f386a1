#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// A scaled instance: memory for its features, and a view of them. Feature 0 is the constant.
struct ScaledInstance {
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
  std::size_t size = 0;  ///< of both vectors, the numbers that are used
  double squared_norm = 0;

  void add(std::size_t feature, double value) {
    indices[size] = static_cast<FeatureView::Index>(feature + 1);
    values[size] = value;
    ++size;
  }
  [[nodiscard]] FeatureView view() const {
    return FeatureView::unchecked_sparse({indices.data(), size}, {values.data(), size}, squared_norm);
  }
};

/// Gives the features of a stream like scales while the stream runs: from the instances so far, without their
/// labels. Not from a paper; docs/algorithms/scaled-logistic.md has the formulas.
///
///   common features of few    (x_i - mean)/deviation
///   other features            x_i/size_i, times idf_i
///   all                       at most 5 in size before idf; the instance has norm 1; a constant is added
///
/// size_i is the same for all features if their scales are alike (the frequencies of words then keep their
/// proportions), and each feature's own if the scales differ widely. idf is left out if the values have it
/// already, which shows in rarer features that are larger.
class OnlineScaler {
 public:
  /// `dimension`: the number of features; 0: unknown, then no feature is centred. With `fixed`, features
  /// beyond the dimension are ignored.
  explicit OnlineScaler(FeatureView::Index dimension, bool fixed = false)
      : centred_(dimension <= max_centred ? dimension : 0), fixed_(fixed ? dimension : 0), sums_(centred_) {}

  /// Most features that can be centred: a centred instance has all of them, not only the non-zero ones.
  static constexpr FeatureView::Index max_centred = 2000;

  /// Counts an instance, then scales it. THROWS: NumericFailure if its numbers are too large; then nothing
  /// has changed.
  void see(const FeatureView& x, double constant, ScaledInstance& out);
  /// The scaled instance: feature 0 is the constant, feature i + 1 is feature i of x. Features that were not
  /// seen yet are left out.
  void scale(const FeatureView& x, double constant, ScaledInstance& out) const;

  static void state(auto& self, auto& visit) {
    visit("rounds", self.rounds_);
    visit("features", self.features_);
    visit("sums", self.sums_);
    visit("study", self.study_);
    visit("own", self.own_);
    visit("factor", self.factor_);
    visit("idf", self.idf_);
  }
  [[nodiscard]] bool consistent() const;

 private:
  // What is known about a feature: two numbers in a row, so that they share a cache line.
  static constexpr std::size_t per_feature = 2;
  struct Feature {
    double count;    // instances that have it
    double squares;  // sum of x^2
  };
  [[nodiscard]] Feature feature(std::size_t i) const {
    return {features_[per_feature * i], features_[per_feature * i + 1]};
  }
  [[nodiscard]] std::size_t known() const { return features_.size() / per_feature; }
  [[nodiscard]] bool is_centred(std::size_t i, const Feature& seen) const {
    return i < centred_ && seen.count > 0.5 * static_cast<double>(rounds_);
  }
  [[nodiscard]] double centred_value(std::size_t i, double value, const Feature& seen) const;
  [[nodiscard]] double own_part(const Feature& seen) const;
  void count(const FeatureView& x, FeatureView::Index extent);
  void study(const FeatureView& x);
  void count_and_scale(const FeatureView& x, double constant, ScaledInstance& out);
  void add_sparse(const FeatureView& x, ScaledInstance& out) const;
  void add_with_centred(const FeatureView& x, ScaledInstance& out) const;

  FeatureView::Index centred_;  // features below this number may be centred
  FeatureView::Index fixed_;    // features from this number on are ignored; 0: none
  std::uint64_t rounds_ = 0;
  std::vector<double> features_;
  std::vector<double> sums_;  // of x, of the features that may be centred
  // The sums over features of instances: 1, H, H^2, l, l^2, H l with H = ln idf_i, l = ln size_i.
  std::vector<double> study_ = std::vector<double>(6);
  double own_ = 0;     // rho: how much a feature's size is its own, in quarters from 0 to 1
  double factor_ = 1;  // exp(-(1 - rho) g), g the mean of l
  double idf_ = 1;     // e, from 0 to 1: how much idf is added
};

}  // namespace askfew

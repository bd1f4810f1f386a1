#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/core/features.h"

namespace askfew {

/// Counts the features of a stream, and gives them places 0, 1, 2, ... for arrays and matrices of a few
/// features. A feature exists once an instance has it with a value other than 0.
///
///   by index       the place of a feature is its index, and the last feature tells how many there are
///   by arrival     places are given in the order in which features come, those of one instance by their
///                  index: names that are hashed have few places, however large their indices are
///   by recurrence  the same, but after the first ones (`at_once`) only to those that come a second time: a
///                  column of identifiers gives every instance a feature that no other has
///
/// By arrival and by recurrence nobody has a place any more once there are more than `most` features.
class FeaturePlaces {
 public:
  using Index = FeatureView::Index;
  static constexpr Index none = std::numeric_limits<Index>::max();
  enum class Order { index, arrival, recurrence };

  FeaturePlaces(Order order, Index most, Index at_once) : order_(order), most_(most), at_once_(at_once) {}

  /// The number of features so far; `most` + 1 stands for more too, unless places are by index. By recurrence
  /// features that came once count only as far as others came twice: in texts a third as many do. Where far
  /// fewer do, most will never come again.
  [[nodiscard]] Index features() const { return features_; }
  /// The number of features that there may be: as many more may come as came only once and count.
  [[nodiscard]] double likely_features() const {
    return order_ == Order::index ? features_ : static_cast<double>(recurring_ + 2 * once_that_count());
  }
  /// Do most features come again? At most a quarter of the features of all instances together may have come
  /// once; by index, of all features.
  [[nodiscard]] bool most_come_again() const {
    return 4 * static_cast<double>(once_) <= (order_ == Order::index ? features_ : of_instances_);
  }
  /// How much a feature that came once is worth: by recurrence, where most come again, the share that counts.
  [[nodiscard]] double worth_of_once() const {
    return once_ == 0 ? 1 : static_cast<double>(once_that_count()) / static_cast<double>(once_);
  }
  /// Are places given otherwise than by index, and not too many?
  [[nodiscard]] bool are_given() const { return order_ != Order::index && features_ <= most_; }
  [[nodiscard]] bool are_by_index() const { return order_ == Order::index; }
  [[nodiscard]] bool are_by_recurrence() const { return order_ == Order::recurrence; }
  /// The number of places.
  [[nodiscard]] Index size() const {
    return order_ == Order::index ? features_ : static_cast<Index>(by_place_.size());
  }
  [[nodiscard]] Index place_of(Index feature) const {
    if (order_ == Order::index) return feature;
    return feature < by_feature_.size() ? by_feature_[feature] : none;
  }
  [[nodiscard]] Index feature_at(std::size_t place) const {
    return order_ == Order::index ? static_cast<Index>(place) : by_place_[place];
  }

  /// `count_of(feature)` tells how many instances had it before. Returns true if there are more features or
  /// places than before.
  template <class CountOf>
  bool see(const FeatureView& x, CountOf&& count_of) {
    const Index features = features_;
    const Index places = size();
    if (order_ == Order::index) see_last(x);
    if (features_ > most_) return features_ > features;
    double usual = 0;  // features that came more than twice: only the sum of all counts changes
    x.for_each([&](Index feature, double value) {
      if (value == 0) return;
      const double before = count_of(feature);
      if (before > 2) {
        ++usual;
        return;
      }
      count(before, before + 1);
      if (order_ == Order::arrival || before > 0 || size() < at_once_) give(feature);
    });
    of_instances_ += usual;
    count_features();
    return features_ != features || size() != places;
  }

  bool operator==(const FeaturePlaces&) const = default;

  /// The features in the order of their places; none if places are not given.
  [[nodiscard]] const std::vector<Index>& order() const { return by_place_; }
  /// Begins again with the features that have a count above 0. `order` is not used by index, `features` only
  /// by recurrence. THROWS: ModelError if `order` does not have the features with places, each once.
  template <class CountOf>
  void restore(const std::vector<Index>& order, std::uint64_t features, std::size_t known,
               CountOf&& count_of) {
    *this = FeaturePlaces(order_, most_, at_once_);
    for (std::size_t i = 0; i < known; ++i) {
      if (!(count_of(i) > 0)) continue;
      count(0, count_of(i));
      if (order_ == Order::index) features_ = static_cast<Index>(i + 1);
    }
    if (order_ == Order::index) return;
    std::size_t recurring = 0;
    for (const Index feature : order) {
      if (!(feature < known && count_of(feature) > 0)) break;
      give(feature);
      if (count_of(feature) > 1) ++recurring;
    }
    const bool lacks_none =
        order_ == Order::arrival ? order.size() == once_ + recurring_ : recurring == recurring_;
    const bool has_each_once = order.size() == by_place_.size() && lacks_none;
    count_features();
    if (order_ == Order::recurrence)
      features_ = std::max(features_, static_cast<Index>(std::min<std::uint64_t>(features, most_ + 1)));
    if (are_given() ? !has_each_once : !order.empty())
      throw ModelError("the order of the features does not have each feature once");
  }

 private:
  void see_last(const FeatureView& x) {
    if (x.extent() <= features_) return;
    std::size_t n = x.size();
    while (n > 0 && x.values()[n - 1] == 0) --n;
    if (n == 0) return;
    const Index last = x.indices() == nullptr ? static_cast<Index>(n - 1) : x.indices()[n - 1];
    features_ = std::max(features_, last + 1);
  }
  /// A feature that `before` instances had is one that `after` have.
  void count(double before, double after) {
    of_instances_ += after - before;
    once_ += static_cast<std::size_t>(after == 1) - static_cast<std::size_t>(before == 1);
    twice_ += static_cast<std::size_t>(after == 2) - static_cast<std::size_t>(before == 2);
    recurring_ += static_cast<std::size_t>(after > 1) - static_cast<std::size_t>(before > 1);
  }
  [[nodiscard]] std::size_t once_that_count() const {
    return order_ == Order::recurrence && most_come_again() ? std::min(once_, 3 * twice_) : once_;
  }
  void count_features() {
    if (order_ == Order::index) return;
    const std::size_t now = std::min<std::size_t>(recurring_ + once_that_count(), std::size_t{1} + most_);
    features_ = std::max(features_, static_cast<Index>(now));
    if (are_given()) return;
    by_feature_ = {};
    by_place_ = {};
  }
  void give(Index feature) {
    if (order_ == Order::index || place_of(feature) != none) return;
    if (feature >= by_feature_.size()) by_feature_.resize(std::size_t{1} + feature, none);
    by_feature_[feature] = size();
    by_place_.push_back(feature);
  }

  Order order_;
  Index most_;
  Index at_once_;
  Index features_ = 0;
  double of_instances_ = 0;    // the sum of all counts
  std::size_t once_ = 0;       // features that one instance had
  std::size_t twice_ = 0;      // that two had
  std::size_t recurring_ = 0;  // that two or more had
  std::vector<Index> by_feature_;
  std::vector<Index> by_place_;
};

}  // namespace askfew

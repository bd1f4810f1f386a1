#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/core/features.h"

namespace askfew {

/// Counts the features of a stream, and gives them places 0, 1, 2, ... for arrays and matrices of a few
/// features. A feature exists once an instance has it with a value other than 0.
///
///   by index     the place of a feature is its index, and the last feature tells how many there are
///   by arrival   places are given in the order in which features come, those of one instance by their index:
///                names that are hashed have few places, however large their indices are. If more than `most`
///                features have come, nobody has a place any more
class FeaturePlaces {
 public:
  using Index = FeatureView::Index;
  static constexpr Index none = std::numeric_limits<Index>::max();

  FeaturePlaces(bool by_arrival, Index most) : by_arrival_(by_arrival), most_(most) {}

  /// The number of features so far; by arrival at most `most` + 1, which stands for more too.
  [[nodiscard]] Index size() const { return size_; }
  /// Are places given by arrival, and not too many?
  [[nodiscard]] bool are_given() const { return by_arrival_ && size_ <= most_; }
  [[nodiscard]] bool are_by_arrival() const { return by_arrival_; }
  [[nodiscard]] Index place_of(Index feature) const {
    if (!by_arrival_) return feature;
    return feature < places_.size() ? places_[feature] : none;
  }
  [[nodiscard]] Index feature_at(std::size_t place) const {
    return by_arrival_ ? order_[place] : static_cast<Index>(place);
  }

  /// Returns true if there are more features than before.
  bool see(const FeatureView& x) {
    const Index before = size_;
    if (!by_arrival_) {
      see_last(x);
    } else if (are_given()) {
      x.for_each([&](Index feature, double value) {
        if (value != 0 && are_given()) give(feature);
      });
    }
    return size_ > before;
  }

  /// The features in the order of their places; none if places are not given.
  [[nodiscard]] const std::vector<Index>& order() const { return order_; }
  /// Begins again with the features that have a count above 0. THROWS: ModelError if `order`, which is used
  /// by arrival, does not have them all, each once.
  template <class CountOf>
  void restore(const std::vector<Index>& order, std::size_t known, CountOf&& count_of) {
    size_ = 0;
    order_.clear();
    places_.clear();
    std::size_t counted = 0;
    for (std::size_t i = 0; i < known; ++i) {
      if (!(count_of(i) > 0)) continue;
      ++counted;
      if (!by_arrival_) size_ = static_cast<Index>(i + 1);
    }
    if (!by_arrival_) return;
    if (counted > most_) size_ = most_ + 1;
    for (const Index feature : order) {
      if (feature < known && count_of(feature) > 0 && are_given()) give(feature);
    }
    if (order_.size() != order.size() || order.size() != (are_given() ? counted : 0))
      throw ModelError("the order of the features does not have each feature once");
  }

 private:
  void see_last(const FeatureView& x) {
    if (x.extent() <= size_) return;
    std::size_t n = x.size();
    while (n > 0 && x.values()[n - 1] == 0) --n;
    if (n == 0) return;
    const Index last = x.indices() == nullptr ? static_cast<Index>(n - 1) : x.indices()[n - 1];
    size_ = std::max(size_, last + 1);
  }
  void give(Index feature) {
    if (place_of(feature) != none) return;
    if (size_++ == most_) {
      places_ = {};
      order_ = {};
      return;
    }
    if (feature >= places_.size()) places_.resize(std::size_t{1} + feature, none);
    places_[feature] = size_ - 1;
    order_.push_back(feature);
  }

  bool by_arrival_;
  Index most_;
  Index size_ = 0;
  std::vector<Index> places_;  // by feature
  std::vector<Index> order_;   // by place
};

}  // namespace askfew

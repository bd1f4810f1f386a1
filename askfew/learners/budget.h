#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// The Randomized Budget Perceptron (Cavallanti, Cesa-Bianchi, Gentile 2007; Cesa-Bianchi's slides, part 5),
/// linear: a Perceptron with at most B stored examples.
///
///   margin  m = sum over the cache of v.x
///   update  add y x to the cache; if it held B, one of them, drawn at random, makes room
///
/// Promise (slides): with B = (1 + e) U^2 supports the mistakes scale with 1 + 1/e against every |u| <= U.
/// Cost of a round: O(nnz). The sum of the cache is kept in double-double precision, so that removing an
/// example cancels its addition exactly.
class Budget {
 public:
  struct Params {
    double B = 500;
    static constexpr auto table() {
      return std::array{Param<Params>{"B", &Params::B, Range{.low = 1, .high = 1e9, .integral = true},
                                      "largest number of stored examples"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "budget",
      .formula = "m = sum of v.x over the cache; add y x; at B supports it replaces a random one",
      .paper = "Cavallanti et al. 2007; slides, part 5",
      .test_params = "B=5"};

  Budget(const Params& params, const Setting& setting)
      : params_(checked(info.name, params)), coin_(setting.key, CoinPurpose::learner) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return w_; }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("w_low", self.w_low_);
    visit("lengths", self.lengths_);
    visit("indices", self.indices_);
    visit("values", self.values_);
    visit("removals", self.removals_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const;

 private:
  using Index = FeatureView::Index;

  [[nodiscard]] std::size_t stride() const {
    return lengths_.empty() ? 0 : indices_.size() / lengths_.size();
  }
  void widen(std::size_t stride);

  Params params_;
  Coin coin_;
  std::vector<double> w_;      // the sum of the cache, high part
  std::vector<double> w_low_;  // the sum of the cache, low part
  // The cache: support s has lengths_[s] features at s * stride().
  std::vector<std::uint32_t> lengths_;
  std::vector<Index> indices_;
  std::vector<double> values_;
  std::uint64_t removals_ = 0;
};

}  // namespace askfew

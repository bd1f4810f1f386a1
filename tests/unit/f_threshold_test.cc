// The threshold on margins that gives a large F.

#include "askfew/ensembles/f_threshold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

using Labelled = std::vector<std::pair<double, Label>>;

FThreshold taught(const Labelled& labels) {
  FThreshold threshold;
  for (const auto& [margin, y] : labels) threshold.learn(margin, y);
  return threshold;
}

double f_of(const Labelled& labels, double shift) {
  double right = 0;
  double either = 0;
  for (const auto& [margin, y] : labels) {
    const bool called = margin + shift > 0;
    right += called && y == Label::positive ? 1 : 0;
    either += (called ? 1 : 0) + (y == Label::positive ? 1 : 0);
  }
  return 2 * right / either;
}

/// Normal margins, and labels that are positive with the probability `chance`.
template <class Chance>
Labelled drawn(int count, std::uint64_t seed, Chance&& chance) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Labelled labels;
  for (int k = 0; k < count; ++k) {
    const double margin = normal(random);
    labels.emplace_back(margin, uniform(random) < chance(margin) ? Label::positive : Label::negative);
  }
  return labels;
}

TEST(FThreshold, margins_are_not_shifted_before_the_first_label) {
  EXPECT_EQ(FThreshold().shift(), 0);
}

TEST(FThreshold, if_margins_carry_no_information_nearly_every_instance_is_predicted_positive) {
  const Labelled labels = drawn(1000, 1, [](double) { return 0.3; });
  const double all = f_of(labels, 100);
  EXPECT_GT(f_of(labels, taught(labels).shift()), 0.95 * all);
  EXPECT_LT(f_of(labels, 0), 0.9 * all);
}

TEST(FThreshold, if_margins_are_right_they_are_hardly_shifted) {
  Labelled labels = drawn(1000, 2, [](double margin) { return margin > 0 ? 1 : 0; });
  for (auto& [margin, y] : labels) margin += y == Label::positive ? 0.2 : -0.2;
  EXPECT_EQ(f_of(labels, taught(labels).shift()), 1);
}

TEST(FThreshold, if_classes_overlap_the_threshold_is_near_the_best_in_hindsight) {
  for (const double offset : {-2.0, -1.0, 0.0, 1.0}) {
    const auto chance = [&](double margin) { return 1 / (1 + std::exp(-(2 * margin + offset))); };
    const Labelled seen = drawn(2000, 3, chance);
    const Labelled unseen = drawn(20'000, 4, chance);
    double best = 0;
    for (double shift = -2; shift <= 3; shift += 0.01) best = std::max(best, f_of(unseen, shift));
    EXPECT_GT(f_of(unseen, taught(seen).shift()), best - 0.01) << offset;
  }
}

double number(const Snapshot& state, const std::string& name) {
  double value = 0;
  const std::string& bytes = state.tensors.at(name).bytes;
  EXPECT_EQ(bytes.size(), sizeof(value));
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}
Snapshot state_of(const FThreshold& threshold) {
  Snapshot state;
  SnapshotWriter visit(state, "");
  FThreshold::state(threshold, visit);
  return state;
}

TEST(FThreshold, a_shift_is_used_only_if_its_f_is_better_by_more_than_the_doubt) {
  int in_doubt = 0;
  int ahead = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    FThreshold threshold;
    for (const auto& [margin, y] : drawn(100, seed, [](double m) { return 1 / (1 + std::exp(2 - m)); })) {
      threshold.learn(margin, y);
      const Snapshot state = state_of(threshold);
      const auto f = [&](int share) {
        const std::string tried = "tried" + std::to_string(share);
        const double either = number(state, tried + ".either");
        return either > 0 ? 2 * number(state, tried + ".right") / either : 1;
      };
      const double doubt = 0.4 / std::sqrt(number(state, "positives") + 1);
      const double best = std::max(f(1), f(2));
      if (best > f(0) && best <= f(0) + doubt) {
        ++in_doubt;
        ASSERT_EQ(threshold.shift(), 0);
      } else if (best > f(0) + doubt + 1e-12) {
        ++ahead;
        ASSERT_NE(threshold.shift(), 0);
      }
    }
  }
  EXPECT_GT(in_doubt, 50);
  EXPECT_GT(ahead, 50);
}

TEST(FThreshold, a_label_whose_probability_is_nearly_0_or_1_does_not_change_the_calibration) {
  const auto calibration_after = [](double margin, Label y) {
    const Snapshot state = state_of(taught({{margin, y}}));
    return std::array{number(state, "a"), number(state, "b"), number(state, "H_aa"), number(state, "H_bb")};
  };
  const std::array before{3.0, 0.0, 1.0,
                          1.0};  // the logit of a margin m is 3 m at first; 20 is the largest that is used
  for (const Label y : {Label::positive, Label::negative}) {
    EXPECT_EQ(calibration_after(6.67, y), before);
    EXPECT_EQ(calibration_after(-6.67, y), before);
    EXPECT_NE(calibration_after(6.66, y), before);
    EXPECT_NE(calibration_after(-6.66, y), before);
  }
}

}  // namespace
}  // namespace askfew

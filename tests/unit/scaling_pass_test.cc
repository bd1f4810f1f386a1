// One pass over the features of an instance: counted, scaled and added up, on every instruction set.

#include "askfew/composed/scaling_pass.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "askfew/composed/count_logs.h"

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

/// One feature after the other.
ScaledSums scaled_one_by_one(std::vector<FeatureRecord>& records, const std::vector<std::uint32_t>& indices,
                             const std::vector<double>& given, const Scaling& scaling, bool counts,
                             std::vector<double>& scaled) {
  ScaledSums sums;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    FeatureRecord& seen = records[indices[k]];
    if (counts) {
      seen.count += given[k] != 0 ? 1 : 0;
      seen.squares += given[k] * given[k];
    }
    double size = given[k] * scaling.factor;
    if (scaling.own > 0) {
      const double own = std::sqrt(seen.squares / seen.count);
      const double root = std::sqrt(own);
      const double part = scaling.own == 1      ? own
                          : scaling.own == 0.5  ? root
                          : scaling.own == 0.25 ? std::sqrt(root)
                                                : root * std::sqrt(root);
      size = seen.squares > 0 ? size / part : 0;
    }
    const double clipped = std::min(largest_scaled, std::max(-largest_scaled, size));
    const double idf = scaling.most - scaling.idf * count_logs()(seen.count);
    const double z = clipped * (idf * damping(seen.count, scaling.rare));
    scaled[k] = z;
    sums.squares += z * z;
    sums.margin += seen.weight * z;
    sums.spread += seen.variance * (z * z);
  }
  return sums;
}

/// Records that were seen rarely, often or never.
std::vector<FeatureRecord> random_records(std::mt19937_64& random) {
  std::vector<FeatureRecord> records(40);
  std::normal_distribution<double> normal;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto count = static_cast<double>(i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : random() % 100'000);
    records[i] = {.count = count,
                  .squares = count * std::exp(3 * normal(random)),
                  .weight = normal(random),
                  .variance = std::abs(normal(random))};
  }
  return records;
}

void expect_the_same_bits(std::mt19937_64& random, std::size_t n, double own, bool counts) {
  std::vector<FeatureRecord> records = random_records(random);
  std::vector<FeatureRecord> naive_records = records;
  std::vector<std::uint32_t> indices(n);
  std::vector<double> given(n);
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < n; ++k) {
    indices[k] = static_cast<std::uint32_t>(1 + 3 * k);
    given[k] = k % 5 == 4 ? 0 : std::exp(4 * normal(random)) * (k % 2 == 0 ? 1 : -1);
  }
  const Scaling scaling{.factor = 0.7, .own = own, .most = 9.5, .idf = 0.8, .rare = 0.3};
  std::vector<double> scaled(n);
  std::vector<double> naive_scaled(n);
  const ScaledSums sums =
      counts ? count_and_scale_values(records.data(), indices.data(), given.data(), n, scaling, scaled.data())
             : scale_values(records.data(), indices.data(), given.data(), n, scaling, scaled.data());
  const ScaledSums naive = scaled_one_by_one(naive_records, indices, given, scaling, counts, naive_scaled);
  EXPECT_EQ(scaled, naive_scaled);
  EXPECT_EQ(sums.squares, naive.squares);
  EXPECT_EQ(sums.margin, naive.margin);
  EXPECT_EQ(sums.spread, naive.spread);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].count, naive_records[i].count);
    EXPECT_EQ(records[i].squares, naive_records[i].squares);
  }
}

TEST(ScalingPass, has_the_bits_of_a_loop_over_features_on_every_instruction_set) {
  with_every_instruction_set([&](std::int64_t) {
    std::mt19937_64 random(1);
    for (const double own : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      for (std::size_t n = 0; n <= 13; ++n) {
        expect_the_same_bits(random, n, own, true);
        expect_the_same_bits(random, n, own, false);
      }
    }
    std::vector<std::uint32_t> more(37);
    std::vector<std::uint32_t> from(37);
    for (std::uint32_t k = 0; k < from.size(); ++k) from[k] = 100 * k;
    add_one(from.data(), from.size(), more.data());
    for (std::uint32_t k = 0; k < from.size(); ++k) EXPECT_EQ(more[k], from[k] + 1);
  });
}

}  // namespace
}  // namespace askfew

#include "askfew/core/new_features.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace askfew {
namespace {

using Index = FeatureView::Index;

std::vector<Index> new_of(const NewFeatures& found, std::size_t first, std::size_t last) {
  const std::span<const Index> features = found.of(first, last);
  return {features.begin(), features.end()};
}

/// Sparse rows with these features.
struct Rows {
  explicit Rows(std::vector<std::vector<Index>> features) : indices(std::move(features)) {
    for (const std::vector<Index>& row : indices) values.emplace_back(row.size(), 1.0);
    for (std::size_t row = 0; row < indices.size(); ++row)
      views.push_back(FeatureView::sparse(indices[row], values[row]));
  }

  std::vector<std::vector<Index>> indices;
  std::vector<std::vector<double>> values;
  std::vector<FeatureView> views;
};

TEST(NewFeatures, are_those_that_the_rows_before_do_not_have) {
  const Rows rows({{1, 2, 5}, {2, 3}, {}, {1, 4, 5}, {6}});
  NewFeatures found;
  found.find(rows.views);
  EXPECT_EQ(new_of(found, 0, 1), (std::vector<Index>{1, 2, 5}));
  EXPECT_EQ(new_of(found, 1, 2), std::vector<Index>{3});
  EXPECT_EQ(new_of(found, 2, 3), std::vector<Index>{});
  EXPECT_EQ(new_of(found, 3, 4), std::vector<Index>{4});
  EXPECT_EQ(new_of(found, 1, 5), (std::vector<Index>{3, 4, 6}));
}

TEST(NewFeatures, rows_beyond_the_end_have_none) {
  const Rows rows({{1}, {2}});
  NewFeatures found;
  EXPECT_EQ(new_of(found, 0, 9), std::vector<Index>{});
  found.find(rows.views);
  EXPECT_EQ(new_of(found, 1, 9), std::vector<Index>{2});
  EXPECT_EQ(new_of(found, 2, 9), std::vector<Index>{});
  EXPECT_EQ(new_of(found, 7, 9), std::vector<Index>{});
}

TEST(NewFeatures, a_batch_knows_nothing_of_the_batch_before) {
  const Rows rows({{1, 2}});
  NewFeatures found;
  for (int batch = 0; batch < 2; ++batch) {
    found.find(rows.views);
    EXPECT_EQ(new_of(found, 0, 1), (std::vector<Index>{1, 2}));
  }
  found.find({});
  EXPECT_EQ(new_of(found, 0, 1), std::vector<Index>{});
}

TEST(NewFeatures, dense_rows_have_none) {
  const std::vector<double> values{1, 2, 3};
  NewFeatures found;
  found.find(std::vector{FeatureView::dense(values)});
  EXPECT_EQ(new_of(found, 0, 1), std::vector<Index>{});
}

TEST(NewFeatures, every_feature_of_a_batch_is_new_in_its_first_row) {
  std::mt19937_64 random(3);
  std::vector<std::vector<Index>> features(200);
  for (std::vector<Index>& row : features) {
    std::set<Index> of_row;
    while (of_row.size() < 20) of_row.insert(static_cast<Index>(random() >> (33 + random() % 30)));
    row.assign(of_row.begin(), of_row.end());
  }
  const Rows rows(features);
  NewFeatures found;
  found.find(rows.views);
  std::set<Index> seen;
  for (std::size_t row = 0; row < features.size(); ++row) {
    const std::vector<Index> new_ones = new_of(found, row, row + 1);
    for (const Index feature : features[row]) {
      const bool first = seen.insert(feature).second;
      if (first) {
        EXPECT_EQ(std::ranges::count(new_ones, feature), 1) << feature;
      }
    }
  }
}

}  // namespace
}  // namespace askfew

#include "askfew/core/features.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

using Index = FeatureView::Index;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string complaint_of_sparse(const std::vector<Index>& indices, const std::vector<double>& values) {
  try {
    static_cast<void>(FeatureView::sparse(indices, values));
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_of_dense(const std::vector<double>& values) {
  try {
    static_cast<void>(FeatureView::dense(values));
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(FeatureView, a_checked_view_of_valid_data_equals_the_unchecked_view) {
  const std::vector<Index> indices{0, 3, 4'294'967'294};
  const std::vector<double> values{1, -2, 0};
  const FeatureView x = FeatureView::sparse(indices, values);
  EXPECT_EQ(x.size(), 3);
  EXPECT_EQ(x.extent(), 4'294'967'295);
  EXPECT_EQ(x.squared_norm(), 5);
  EXPECT_EQ(x.indices(), indices.data());
  EXPECT_EQ(x.values(), values.data());
  EXPECT_EQ(FeatureView::sparse({}, {}).size(), 0);
}

TEST(FeatureView, indices_that_do_not_ascend_are_refused) {
  EXPECT_EQ(complaint_of_sparse({3, 2}, {1, 1}), "index 2 after 3: indices must ascend");
  EXPECT_EQ(complaint_of_sparse({0, 7, 7}, {1, 1, 1}), "index 7 after 7: indices must ascend");
}

TEST(FeatureView, the_largest_index_is_refused) {
  EXPECT_EQ(complaint_of_sparse({4'294'967'295}, {1}),
            "index 4294967295 is too large, accepted: at most 4294967294");
}

TEST(FeatureView, different_numbers_of_indices_and_values_are_refused) {
  EXPECT_EQ(complaint_of_sparse({1, 2}, {1}), "2 indices and 1 values: each feature needs one of both");
  EXPECT_EQ(complaint_of_sparse({}, {1}), "0 indices and 1 values: each feature needs one of both");
}

TEST(FeatureView, values_that_are_not_finite_are_refused) {
  EXPECT_EQ(complaint_of_sparse({1, 5}, {1, nan}), "value nan of feature 5 is not finite");
  EXPECT_EQ(complaint_of_sparse({1}, {-infinity}), "value -inf of feature 1 is not finite");
  EXPECT_EQ(complaint_of_dense({0, 1, infinity}), "value inf of feature 2 is not finite");
  EXPECT_EQ(complaint_of_dense({std::numeric_limits<double>::max()}), "");
}

}  // namespace
}  // namespace askfew

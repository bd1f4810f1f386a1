#include <cstring>
#include <gtest/gtest.h>

#include "askfew/core/snapshot.h"
#include "askfew/learners/ellipsoid.h"
#include "askfew/learners/gravity_center.h"
#include "askfew/learners/volumetric_center.h"

#include "tests/streams.h"

namespace askfew {
namespace {

template <class L>
class CuttingPlane : public testing::Test {
 protected:
  static L make(FeatureView::Index dimension) { return L({}, {.key = {.seed = 5}, .dimension = dimension}); }
  static bool learn(L& learner, const FeatureView& x, Label y) {
    const double margin = learner.margin(x);
    if (sgn(margin) == y) return false;
    learner.update(x, y, margin);
    return true;
  }
  static Snapshot state_of(const L& learner) {
    Snapshot snapshot;
    SnapshotWriter writer(snapshot, "");
    L::state(learner, writer);
    return snapshot;
  }
  static std::uint64_t restarts_of(const L& learner) {
    std::uint64_t count = 0;
    std::memcpy(&count, state_of(learner).tensors.at("restarts").bytes.data(), sizeof count);
    return count;
  }
};
using Learners = testing::Types<Ellipsoid, VolumetricCenter, GravityCenter>;
TYPED_TEST_SUITE(CuttingPlane, Learners);

TYPED_TEST(CuttingPlane, needs_a_small_dimension_and_refuses_updates_with_features_beyond_it) {
  EXPECT_THROW(this->make(0), ConfigError);
  EXPECT_THROW(this->make(257), ConfigError);
  auto learner = this->make(2);
  const std::vector<double> beyond{0, 0, 1};
  EXPECT_EQ(learner.margin(FeatureView::dense(beyond)), 0);
  EXPECT_THROW(this->learn(learner, FeatureView::dense(beyond), Label::positive), ConfigError);
}

TYPED_TEST(CuttingPlane, after_the_first_update_the_margin_has_the_sign_of_the_label) {
  for (const double scale : {1.0, 1e-100, 1e100}) {
    auto learner = this->make(3);
    const std::vector<double> x{0, 2 * scale, 0};
    EXPECT_TRUE(this->learn(learner, FeatureView::dense(x), Label::positive));
    EXPECT_GT(learner.margin(FeatureView::dense(x)), 0);
  }
}

TYPED_TEST(CuttingPlane, a_zero_vector_changes_nothing) {
  auto learner = this->make(3);
  const Snapshot before = this->state_of(learner);
  EXPECT_TRUE(this->learn(learner, FeatureView(), Label::positive));
  EXPECT_EQ(this->state_of(learner), before);
}

TYPED_TEST(CuttingPlane, an_instance_whose_norm_overflows_is_an_error) {
  auto learner = this->make(2);
  const std::vector<double> x{1e200, 1};
  EXPECT_THROW(this->learn(learner, FeatureView::dense(x), Label::positive), NumericFailure);
}

// The same instance with both labels leaves only the hyperplane itself: after some updates the learner starts
// again and continues as if it were new.
TYPED_TEST(CuttingPlane, contradictory_labels_make_the_learner_start_again) {
  for (const FeatureView::Index dimension : {1U, 2U, 5U}) {
    auto learner = this->make(dimension);
    const std::vector<double> x{1};
    int rounds = 0;
    while (this->restarts_of(learner) == 0 && rounds < 10'000) {
      this->learn(learner, FeatureView::dense(x), rounds % 2 == 0 ? Label::positive : Label::negative);
      ASSERT_TRUE(std::isfinite(learner.margin(FeatureView::dense(x))));
      ++rounds;
    }
    EXPECT_EQ(this->restarts_of(learner), 1);
    EXPECT_GT(rounds, 5);
  }
}

// With noise the learner may start again, and it continues to learn from labels.
TYPED_TEST(CuttingPlane, continues_to_learn_from_a_stream_that_no_hyperplane_separates) {
  auto learner = this->make(3);
  int mistakes = 0;
  for (const auto& example : test::teacher_stream(8, 4000, 3, 3, 0, 0.1)) {
    mistakes += this->learn(learner, example.x(), example.y) ? 1 : 0;
  }
  EXPECT_LT(mistakes, 1600);
  EXPECT_GT(this->restarts_of(learner), 0);
}

}  // namespace
}  // namespace askfew

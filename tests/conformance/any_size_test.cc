#include <functional>
#include <gtest/gtest.h>

#include "askfew/models/model_file.h"

#include "tests/conformance/pairs.h"

namespace askfew::conformance {
namespace {

/// Instances of any size with labels. The learner either learns the label, or refuses it and does not change;
/// all numbers that it keeps are finite.
class AnySize : public Conformance {
 protected:
  /// Every second feature is multiplied by `scale`, the others by `other`.
  void offer(test::SparseExample example, double scale, double other) {
    for (std::size_t k = 0; k < example.values.size(); ++k) example.values[k] *= k % 2 == 0 ? scale : other;
    const FeatureView x = example.x();
    Snapshot before = learner_of(*sampler_);
    try {
      sampler_->see(x);
      if (offered("instances")) before = learner_of(*sampler_);
      Query query = sampler_->ask_seen(x);
      ASSERT_EQ(learner_of(*sampler_), before);
      query.asked = true;
      sampler_->tell(x, example.y, query);
      ++learned_;
    } catch (const NumericError& error) {
      ASSERT_EQ(learner_of(*sampler_), before) << scale << ", " << other << ": " << error.what();
      ASSERT_TRUE(std::string(error.what()).starts_with("round ")) << error.what();
      ++refused_;
    }
    ASSERT_EQ(find_not_finite(snapshot_of(*sampler_)), "") << scale << ", " << other;
  }
  void offer_all(std::size_t count, const std::function<double(std::size_t)>& scale) {
    for (std::size_t k = 0; k < count && !HasFatalFailure(); ++k) {
      const double one = scale(k);
      offer(stream()[k], one, k % 4 == 0 ? 1 : k % 4 == 1 ? 1 / one : one);
    }
  }
  void expect_to_be_saved() {
    const auto restored = make();
    restored->load(decode_model(encode_model(snapshot_of(*sampler_))), "");
    EXPECT_EQ(snapshot_of(*restored), snapshot_of(*sampler_));
  }

  std::unique_ptr<AnySampler> sampler_ = make();
  std::size_t learned_ = 0;
  std::size_t refused_ = 0;
};

TEST_P(AnySize, numbers_stay_finite_from_1e_300_to_1e300_and_back) {
  offer_all(120, [](std::size_t k) { return std::pow(10, static_cast<double>(k * 37 % 61) * 10 - 300); });
  expect_to_be_saved();
  EXPECT_GT(learned_, 0);
  EXPECT_GT(refused_, 0);
  offer_all(40, [](std::size_t /*k*/) { return 1; });
}

// Precision is lost long before numbers overflow, and not at the first label.
TEST_P(AnySize, numbers_stay_finite_after_many_instances_of_one_size) {
  for (const double size : {1e-77, 1e8, 1e77}) {
    sampler_ = make();
    offer_all(50, [&](std::size_t /*k*/) { return size; });
    expect_to_be_saved();
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, AnySize, testing::ValuesIn(all_pairs()), name_of);

}  // namespace
}  // namespace askfew::conformance

#include "askfew/protocol/sampler.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/reflect.h"
#include "askfew/rules/always.h"
#include "askfew/rules/halving.h"
#include "askfew/rules/margin.h"
#include "askfew/rules/random.h"
#include "askfew/system/memory_limit.h"

namespace askfew {
namespace {

const std::vector<double> e1{1, 0};
const std::vector<double> e2{0, 1};
FeatureView view(const std::vector<double>& x) {
  return FeatureView::dense(x);
}

TEST(Sampler, counts_rounds_asked_labels_updates_and_probabilities) {
  Sampler sampler(Perceptron({}, {}), Random({.q = 0.5}, {}), UpdatePolicy::mistake, {.seed = 3});
  for (int t = 0; t < 100; ++t) {
    const Query query = sampler.ask(view(e1));
    EXPECT_EQ(query.asked, query.coin < 0.5);
    if (query.asked) sampler.tell(view(e1), Label::positive, query);
  }
  EXPECT_EQ(sampler.tally().round, 100);
  EXPECT_DOUBLE_EQ(sampler.tally().expected_asked, 50);
  EXPECT_GT(sampler.tally().asked, 30);
  EXPECT_EQ(sampler.tally().updates, 1);  // one mistake, then the prediction is right
}

TEST(Sampler, policies_choose_which_labels_are_learned) {
  const auto updates = [](UpdatePolicy policy) {
    Sampler sampler(PassiveAggressive<PaOne>({.C = 0.6}, {}), Always({}, {}), policy, {});
    for (int t = 0; t < 5; ++t) sampler.tell(view(e1), Label::positive, sampler.ask(view(e1)));
    return sampler.tally().updates;
  };
  EXPECT_EQ(updates(UpdatePolicy::mistake), 1);  // margin 0, then 0.6
  EXPECT_EQ(updates(UpdatePolicy::margin), 2);   // margin 0, 0.6, then 1
  EXPECT_EQ(updates(UpdatePolicy::asked), 5);
}

TEST(Sampler, the_margin_policy_refuses_learners_without_a_loss) {
  EXPECT_THROW(Sampler(Perceptron({}, {}), Always({}, {}), UpdatePolicy::margin, {}), ConfigError);
}

/// A learner with memory for two examples.
class Hoarder {
 public:
  using Params = NoParams;
  static constexpr LearnerInfo info{.name = "hoarder"};
  Hoarder(const Params& /*params*/, const Setting& setting) : share_(setting.memory) {}
  [[nodiscard]] double margin(const FeatureView& /*x*/) const { return 0; }
  void update(const FeatureView& /*x*/, Label /*y*/, double /*margin*/) {
    share_.resize(++examples_, "an example");
  }

 private:
  MemoryShare share_;
  std::size_t examples_ = 0;
};

TEST(Sampler, the_error_of_exhausted_memory_names_round_and_task) {
  const Setting setting{.memory = std::make_shared<MemoryLimit>(2)};
  Sampler sampler(Hoarder({}, setting), Always({}, {}), UpdatePolicy::mistake, {.task = 7});
  const auto round = [&] { sampler.tell(view(e1), Label::positive, sampler.ask(view(e1))); };
  round();
  round();
  try {
    round();
    FAIL() << "no error";
  } catch (const MemoryError& error) {
    EXPECT_STREQ(
        error.what(),
        "round 3, task 7: an example would need 1 bytes more, and 2 bytes of the limit of 2 bytes are "
        "taken");
  }
}

TEST(Sampler, reflect_asks_for_its_first_label_and_no_rule_observes_it) {
  Sampler sampler(Reflect({}, {}), Halving({.R = 1, .s = 1}, {}), UpdatePolicy::mistake, {});
  const Query zero = sampler.ask(view({0, 0}));
  EXPECT_TRUE(zero.asked);
  EXPECT_FALSE(sampler.tell(view({0, 0}), Label::negative, zero));
  const Query first = sampler.ask(view(e1));
  EXPECT_EQ(first.probability, 1);
  EXPECT_EQ(first.prediction, Label::negative);
  EXPECT_FALSE(sampler.tell(view(e1), Label::negative, first));
  EXPECT_EQ(sampler.tally().updates, 0);
  EXPECT_TRUE(sampler.ask(view(e1)).asked);  // |m| = 1 <= s: the threshold was not halved
}

// Two queries wait at the same time. When the second label comes, the learner has already learned the first.
TEST(Sampler, a_late_label_is_judged_by_the_current_margin) {
  Sampler sampler(PassiveAggressive<Hildreth>({}, {}), Always({}, {}), UpdatePolicy::margin, {});
  const Query first = sampler.ask(view(e1));
  const Query second = sampler.ask(view(e1));
  EXPECT_TRUE(sampler.tell(view(e1), Label::positive, first));
  EXPECT_FALSE(sampler.tell(view(e1), Label::positive, second));  // the loss is already 0
  EXPECT_DOUBLE_EQ(sampler.margin(view(e1)), 1);
}

TEST(Sampler, labels_can_come_in_any_order) {
  Sampler sampler(Perceptron({}, {}), Always({}, {}), UpdatePolicy::mistake, {});
  const Query first = sampler.ask(view(e1));
  const Query second = sampler.ask(view(e2));
  EXPECT_TRUE(sampler.tell(view(e2), Label::positive, second));
  EXPECT_TRUE(sampler.tell(view(e1), Label::positive, first));
  EXPECT_EQ(sampler.margin(view({1, 1})), 2);
}

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const NumericError& error) {
    return error.what();
  }
  return "";
}

TEST(Sampler, a_norm_that_is_not_finite_is_refused_with_its_round) {
  Sampler sampler(Perceptron({}, {}), Always({}, {}), UpdatePolicy::asked, {.task = 4});
  const std::vector<double> huge{1e200};
  sampler.ask(view(e1));
  EXPECT_EQ(complaint_of([&] { sampler.ask(view(huge)); }),
            "round 2, task 4: the norm of the instance is not finite");
}

TEST(Sampler, a_margin_that_is_not_finite_is_refused_with_its_round) {
  struct Infinite : Perceptron {
    using Perceptron::Perceptron;
    [[nodiscard]] double margin(const FeatureView& x) const { return Perceptron::margin(x) * 1e308; }
  };
  Sampler sampler(Infinite({}, {}), Always({}, {}), UpdatePolicy::asked, {.task = 4});
  const std::vector<double> ten{10};
  const Query first = sampler.ask(view(ten));
  const Query second = sampler.ask(view(ten));
  sampler.tell(view(ten), Label::positive, first);
  EXPECT_EQ(complaint_of([&] { sampler.ask(view(ten)); }), "round 3, task 4: the margin is not finite");
  EXPECT_EQ(complaint_of([&] { sampler.tell(view(ten), Label::positive, second); }),
            "round 2, task 4: the margin is not finite");
}

TEST(Sampler, an_update_after_which_numbers_might_not_be_finite_is_refused_with_its_round) {
  Sampler sampler(Perceptron({.rate = 1e300}, {}), Always({}, {}), UpdatePolicy::asked, {.task = 4});
  const Query query = sampler.ask(view(e1));
  EXPECT_EQ(complaint_of([&] { sampler.tell(view(e1), Label::positive, query); }),
            "round 1, task 4: the update is too large for the learner's numbers to stay finite; scale the "
            "instances, or change the learner's parameters");
  EXPECT_EQ(sampler.margin(view(e1)), 0);
  EXPECT_EQ(sampler.tally().updates, 0);
}

}  // namespace
}  // namespace askfew

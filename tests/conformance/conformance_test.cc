#include <gtest/gtest.h>

#include "askfew/models/model_file.h"

#include "tests/conformance/pairs.h"

namespace askfew::conformance {
namespace {

TEST_P(Conformance, computing_a_margin_changes_nothing) {
  const auto sampler = trained();
  const Snapshot before = snapshot_of(*sampler);
  for (const auto& example : stream()) {
    const double first = sampler->margin(example.x());
    ASSERT_EQ(sampler->margin(example.x()), first);
  }
  EXPECT_EQ(snapshot_of(*sampler), before);
}

TEST_P(Conformance, an_unasked_round_leaves_the_learner_bit_identical) {
  if (offered("instances")) return;  // it learns from instances
  const auto sampler = trained();
  for (const auto& example : stream()) {
    const Snapshot before = learner_of(*sampler);
    const Query query = sampler->ask(example.x());
    ASSERT_EQ(learner_of(*sampler), before);
    if (query.asked) sampler->tell(example.x(), example.y, query);
  }
}

TEST_P(Conformance, asking_is_seeing_and_then_asking) {
  const auto whole = make();
  const auto parts = make();
  for (const auto& example : stream()) {
    const Query a = round(*whole, example);
    parts->see(example.x());
    const Snapshot seen = learner_of(*parts);
    const Query b = parts->ask_seen(example.x());
    ASSERT_EQ(a.score.margin, b.score.margin);
    ASSERT_EQ(learner_of(*parts), seen);
    if (b.asked) parts->tell(example.x(), example.y, b);
  }
  EXPECT_EQ(snapshot_of(*whole), snapshot_of(*parts));
}

TEST_P(Conformance, a_label_is_asked_if_and_only_if_the_coin_is_below_the_probability) {
  const auto lazy = make();
  const auto exact = make(1, 0, Exactness::exact);
  Coin coin({.seed = 1, .task = 0});
  for (const auto& example : stream()) {
    const Query query = round(*exact, example);
    ASSERT_EQ(query.coin, coin(query.round));
    for (const Query& any : {query, round(*lazy, example)}) {
      ASSERT_GE(any.probability, 0);
      ASSERT_LE(any.probability, 1);
      ASSERT_EQ(any.asked, query.coin < any.probability);
      ASSERT_EQ(any.prediction, sgn(any.score.margin));
    }
  }
}

TEST_P(Conformance, the_same_seed_gives_the_same_run) {
  EXPECT_EQ(snapshot_of(*trained(7)), snapshot_of(*trained(7)));
}

TEST_P(Conformance, a_snapshot_continues_bit_for_bit) {
  const auto original = trained();
  const auto restored = make();
  restored->load(decode_model(encode_model(snapshot_of(*original))), "");
  for (const auto& example : test::teacher_stream(32, 100, dimension, 7, 0, 0.1)) {
    const Query a = round(*original, example);
    const Query b = round(*restored, example);
    ASSERT_EQ(a.round, b.round);
    ASSERT_EQ(a.score.margin, b.score.margin);
    ASSERT_EQ(a.probability, b.probability);
    ASSERT_EQ(a.coin, b.coin);
  }
  EXPECT_EQ(snapshot_of(*original), snapshot_of(*restored));
}

TEST_P(Conformance, reading_ahead_changes_nothing) {
  const auto plain = make();
  const auto ahead = make();
  std::vector<FeatureView> upcoming;
  for (const auto& example : stream()) upcoming.push_back(example.x());
  ahead->read_ahead(upcoming);
  for (const auto& example : stream()) {
    ASSERT_EQ(round(*plain, example).score.margin, round(*ahead, example).score.margin);
  }
  EXPECT_EQ(snapshot_of(*plain), snapshot_of(*ahead));
}

TEST_P(Conformance, dense_and_sparse_views_agree) {
  const auto sparse = make();
  const auto dense = make();
  for (const auto& example : stream()) {
    std::vector<double> values(dimension, 0.0);
    for (std::size_t k = 0; k < example.indices.size(); ++k) values[example.indices[k]] = example.values[k];
    const FeatureView x = FeatureView::dense(values);
    const Query a = sparse->ask(example.x());
    const Query b = dense->ask(x);
    ASSERT_NEAR(a.score.margin, b.score.margin, 1e-9 * (1 + std::abs(a.score.margin)));
    ASSERT_EQ(a.asked, b.asked);
    ASSERT_EQ(a.prediction, b.prediction);
    if (!a.asked) continue;
    ASSERT_EQ(sparse->tell(example.x(), example.y, a), dense->tell(x, example.y, b));
  }
}

TEST_P(Conformance, a_zero_vector_has_the_offset_as_its_margin_and_numbers_stay_finite) {
  const auto sampler = trained();
  const test::SparseExample nothing;
  for (int k = 0; k < 20; ++k) {
    const double offset = sampler->offset();
    const Query query = round(*sampler, nothing);
    if (sampler->norm(nothing.x()) > 0) continue;  // a kernel in which the zero vector has a norm
    ASSERT_EQ(query.score.margin, offset);
    ASSERT_EQ(query.prediction, sgn(offset));
  }
  for (const auto& example : stream()) ASSERT_TRUE(std::isfinite(round(*sampler, example).score.margin));
}

TEST_P(Conformance, a_stream_can_begin_with_zero_vectors) {
  const auto sampler = make();
  const test::SparseExample nothing;
  for (int k = 0; k < 5; ++k) {
    const double offset = sampler->offset();
    const Query query = round(*sampler, nothing);
    ASSERT_TRUE(query.score.margin == offset || sampler->norm(nothing.x()) > 0);
  }
  for (const auto& example : stream()) ASSERT_TRUE(std::isfinite(round(*sampler, example).score.margin));
}

// A learner that fixes its dimension at the start has a weight for every feature; for every other learner a
// feature that was never seen has weight 0.
TEST_P(Conformance, features_that_were_never_seen_do_not_change_a_margin) {
  const auto sampler = trained();
  const std::vector<FeatureView::Index> unseen{1'000'000};
  const std::vector<double> one{1.0};
  const double margin = sampler->margin(FeatureView::sparse(unseen, one));
  EXPECT_TRUE(std::isfinite(margin));
  const bool is_linear = sampler->linear_form().has_value();
  if (is_linear || (!offered("norm") && !offered("offset"))) {
    EXPECT_EQ(margin, sampler->offset());
  }
}

TEST_P(Conformance, lazy_and_exact_samplers_decide_the_same) {
  const auto lazy = make();
  const auto exact = make(1, 0, Exactness::exact);
  for (const auto& example : stream()) {
    const Query a = lazy->ask(example.x());
    const Query b = exact->ask(example.x());
    ASSERT_EQ(a.asked, b.asked) << "round " << a.round;
    ASSERT_EQ(a.prediction, b.prediction) << "round " << a.round;
    ASSERT_GE(a.probability, b.probability);
    if (!a.asked) continue;
    ASSERT_EQ(lazy->tell(example.x(), example.y, a), exact->tell(example.x(), example.y, b));
  }
  EXPECT_EQ(learner_of(*lazy), learner_of(*exact));
}

TEST_P(Conformance, the_linear_form_equals_the_margin) {
  const auto sampler = trained(1, Exactness::exact);
  const std::optional<LinearForm> form = sampler->linear_form();
  if (!form) return;  // the margin is not a sum over features
  ASSERT_TRUE(offered("weights"));
  for (const auto& example : stream()) {
    const Score score = sampler->ask(example.x()).score;
    double sum = form->offset;
    double size = std::abs(sum);
    for (std::size_t k = 0; k < example.indices.size(); ++k) {
      const std::size_t i = example.indices[k];
      if (i >= form->weights.size()) continue;
      sum += form->weights[i] * example.values[k];
      size += std::abs(form->weights[i] * example.values[k]);
    }
    ASSERT_NEAR(score.margin, form->is_divided ? sum / (1 + score.spread) : sum, 1e-9 * size);
  }
}

TEST_P(Conformance, weights_have_the_properties_that_the_learner_offers) {
  const auto sampler = make();
  ASSERT_EQ(sampler->has_local_weights(), offered("local-weights"));
  if (!offered("weights")) {
    ASSERT_FALSE(sampler->linear_form());
    return;
  }
  std::vector<double> before(dimension);
  for (const auto& example : stream()) {
    round(*sampler, example);
    const std::optional<LinearForm> form = sampler->linear_form();
    if (!form) return;
    std::vector<double> weights = form->weights;
    weights.resize(std::max<std::size_t>(weights.size(), dimension));
    for (const double weight : weights) {
      ASSERT_TRUE(std::isfinite(weight) && (weight >= 0 || !offered("nonnegative-weights")));
    }
    for (FeatureView::Index i = 0; i < dimension && offered("local-weights"); ++i) {
      const bool present = std::ranges::find(example.indices, i) != example.indices.end();
      ASSERT_TRUE(present || weights[i] == before[i]) << "an update changed the weight of another feature";
    }
    before = std::move(weights);
  }
}

TEST_P(Conformance, local_weights_can_be_replaced) {
  if (!offered("local-weights")) return;
  const auto sampler = trained();
  const std::vector<double> two{0.5, -2};
  ASSERT_GT(sampler->linear_form()->weights.size(), two.size());
  const std::size_t size = sampler->linear_form()->weights.size();
  sampler->set_weights(two);
  std::vector<double> expected = two;
  expected.resize(size);
  EXPECT_EQ(sampler->linear_form()->weights, expected);
  const std::vector<FeatureView::Index> indices{0, 1, 5};
  const std::vector<double> values{1, 1, 7};
  EXPECT_EQ(sampler->margin(FeatureView::sparse(indices, values)), -1.5);
}

TEST_P(Conformance, a_learner_that_needs_a_first_label_asks_for_it_with_probability_1) {
  const auto sampler = make();
  EXPECT_TRUE(sampler->started() || offered("first-label"));
  if (sampler->started()) return;  // also a learner whose parameters give it a start
  EXPECT_EQ(sampler->ask(stream()[0].x()).probability, 1);
  round(*sampler, stream()[0]);
  EXPECT_TRUE(sampler->started());
}

TEST_P(Conformance, a_snapshot_has_exactly_the_tensors_that_the_catalog_lists) {
  const auto sampler = trained();
  const std::vector<std::string> names = state_names(GetParam().config);
  std::vector<std::string> saved;
  for (const auto& [name, tensor] : snapshot_of(*sampler).tensors) {
    if (name.starts_with("learner.") || name.starts_with("rule.")) saved.push_back(name);
  }
  EXPECT_EQ(saved, names);
  EXPECT_EQ(!learner_of(*sampler).tensors.empty(), offered("state"));
}

TEST_P(Conformance, a_new_sampler_can_predict_and_be_saved) {
  const auto sampler = make();
  EXPECT_TRUE(std::isfinite(sampler->margin(stream()[0].x())));
  const auto restored = make();
  restored->load(snapshot_of(*sampler), "");
  EXPECT_EQ(snapshot_of(*restored), snapshot_of(*sampler));
  EXPECT_EQ(sampler->tally().round, 0);
}

TEST_P(Conformance, a_late_label_is_learned_from_its_own_instance) {
  const auto sampler = trained();
  Query query = sampler->ask(stream()[0].x());
  query.asked = true;
  sampler->ask(stream()[1].x());
  const auto restored = make();
  restored->load(snapshot_of(*sampler), "");
  sampler->tell(stream()[0].x(), stream()[0].y, query);
  restored->tell(stream()[0].x(), stream()[0].y, query);
  EXPECT_EQ(snapshot_of(*sampler), snapshot_of(*restored));
}

TEST_P(Conformance, tasks_have_different_coins) {
  const auto first = make(1, 0, Exactness::exact);
  const auto second = make(1, 1, Exactness::exact);
  EXPECT_NE(first->ask(stream()[0].x()).coin, second->ask(stream()[0].x()).coin);
}

INSTANTIATE_TEST_SUITE_P(Pairs, Conformance, testing::ValuesIn(all_pairs()), name_of);

// The properties of rules on which the lazy spread relies.
template <class R>
void expect_laws() {
  const R rule({}, {.dimension = 2});
  const Tally tally{.round = 20, .asked = 10, .updates = 5};
  const auto probability = [&](double margin, double spread) {
    return rule.ask_probability({.margin = margin, .norm = 5, .spread = spread}, tally);
  };
  for (double margin = -5; margin < 5; margin += 0.05) {
    for (double spread = 0; spread < 25; spread += 0.5) {
      const double here = probability(margin, spread);
      ASSERT_GE(here, probability(margin * 1.01, spread)) << R::info.name << " rises with the margin";
      ASSERT_LE(here, probability(margin, spread + 0.5)) << R::info.name << " falls with the spread";
      ASSERT_EQ(here, probability(-margin, spread)) << R::info.name << " depends on the sign of the margin";
    }
  }
}

TEST(RuleLaw, the_probability_never_rises_with_the_margin_and_never_falls_with_the_spread) {
  for_each_type(Rules{}, []<class R>() { expect_laws<R>(); });
}

}  // namespace
}  // namespace askfew::conformance

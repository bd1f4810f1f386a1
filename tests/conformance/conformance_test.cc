// One suite that every legal learner x rule passes. The pairs come from the catalog, so a new algorithm is in
// it as soon as it has its line there.

#include <functional>
#include <gtest/gtest.h>

#include "askfew/catalog/pairs.h"
#include "askfew/models/model_file.h"

#include "tests/streams.h"

namespace askfew {
namespace {

constexpr FeatureView::Index dimension = 12;  // few, for the cutting planes

SamplerConfig config_of(const LearnerEntry& learner, const RuleEntry& rule) {
  SamplerConfig config{.learner = parse_learner(learner.info.name), .rule = parse_rule(rule.info.name)};
  if (config.learner.params.contains("B")) config.learner.params["B"] = 20;  // so that the budget is reached
  if (config.learner.params.contains("samples")) config.learner.params["samples"] = 2;  // for speed
  config.update = learner.info.policy;
  return config;
}

/// Is the margin of a zero vector, and of features never seen, other than 0? So it is with the kernels that
/// are not linear, and with a constant feature.
bool has_offset(const SamplerConfig& config) {
  if (config.learner.params.contains("constant")) return true;
  const auto kernel = config.learner.params.find("kernel");
  return kernel != config.learner.params.end() && kernel->second != 0;
}

std::vector<SamplerConfig> all_pairs() {
  std::vector<SamplerConfig> pairs;
  for (const LearnerEntry& learner : learner_entries()) {
    for (const RuleEntry& rule : rule_entries()) {
      if (!fit(learner, rule)) continue;
      pairs.push_back(config_of(learner, rule));
      if (pairs.back().learner.params.contains("kernel")) {
        pairs.push_back(pairs.back());
        pairs.back().learner.params["kernel"] = 0;
      }
      for (const UpdatePolicy policy : learner.policies) {
        if (policy == learner.info.policy) continue;
        pairs.push_back(config_of(learner, rule));
        pairs.back().update = policy;
      }
    }
  }
  return pairs;
}

std::string name_of(const testing::TestParamInfo<SamplerConfig>& info) {
  std::string name =
      info.param.learner.name + "_" + info.param.rule.name + "_" + std::string(text_of(info.param.update));
  if (info.param.learner.params.contains("kernel") && !has_offset(info.param)) name += "_linear";
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

class Conformance : public testing::TestWithParam<SamplerConfig> {
 protected:
  [[nodiscard]] static std::unique_ptr<AnySampler> make(std::uint64_t seed = 1, std::uint64_t task = 0,
                                                        Exactness exactness = Exactness::lazy) {
    return make_sampler(GetParam(), {.key = {.seed = seed, .task = task}, .dimension = dimension}, exactness);
  }
  static Query round(AnySampler& sampler, const test::SparseExample& example) {
    const Query query = sampler.ask(example.x());
    if (query.asked) sampler.tell(example.x(), example.y, query);
    return query;
  }
  static std::unique_ptr<AnySampler> trained(std::uint64_t seed = 1) {
    auto sampler = make(seed);
    for (const auto& example : stream()) round(*sampler, example);
    return sampler;
  }
  static Snapshot snapshot_of(const AnySampler& sampler) {
    Snapshot snapshot;
    sampler.save(snapshot, "");
    return snapshot;
  }
  /// Only what the learner remembers.
  static Snapshot learner_of(const AnySampler& sampler) {
    Snapshot snapshot = snapshot_of(sampler);
    std::erase_if(snapshot.tensors, [](const auto& entry) { return !entry.first.starts_with("learner."); });
    return snapshot;
  }
  static const test::Stream& stream() {
    static const test::Stream examples = test::teacher_stream(31, 400, dimension, 7, 0, 0.1);
    static const test::Stream fewer(examples.begin(), examples.begin() + 120);
    // What stores all examples costs more with each of them.
    return GetParam().learner.params.contains("kernel") ? fewer : examples;
  }
};

TEST_P(Conformance, margin_is_pure) {
  const auto sampler = trained();
  const Snapshot before = snapshot_of(*sampler);
  for (const auto& example : stream()) {
    const double first = sampler->margin(example.x());
    ASSERT_EQ(sampler->margin(example.x()), first);
  }
  EXPECT_EQ(snapshot_of(*sampler), before);
}

TEST_P(Conformance, an_unasked_round_leaves_the_learner_bit_identical) {
  const auto sampler = trained();
  for (const auto& example : stream()) {
    const Snapshot before = learner_of(*sampler);
    const Query query = sampler->ask(example.x());
    ASSERT_EQ(learner_of(*sampler), before);
    if (query.asked) sampler->tell(example.x(), example.y, query);
  }
}

TEST_P(Conformance, the_decision_is_the_coins) {
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
    if (a.asked != b.asked || a.prediction != b.prediction) return;  // rounding may settle a tie either way
    if (a.asked) {
      sparse->tell(example.x(), example.y, a);
      dense->tell(x, example.y, b);
    }
  }
}

TEST_P(Conformance, zero_vectors_are_harmless) {
  const auto sampler = trained();
  const test::SparseExample nothing;
  for (int k = 0; k < 20; ++k) {
    const Query query = round(*sampler, nothing);
    if (has_offset(GetParam())) continue;
    ASSERT_EQ(query.score.margin, 0);
    ASSERT_EQ(query.prediction, Label::negative);
  }
  for (const auto& example : stream()) ASSERT_TRUE(std::isfinite(round(*sampler, example).score.margin));
}

TEST_P(Conformance, a_stream_may_begin_with_zero_vectors) {
  const auto sampler = make();
  const test::SparseExample nothing;
  for (int k = 0; k < 5; ++k) {
    const double margin = round(*sampler, nothing).score.margin;
    ASSERT_TRUE(margin == 0 || has_offset(GetParam()));
  }
  for (const auto& example : stream()) ASSERT_TRUE(std::isfinite(round(*sampler, example).score.margin));
}

// A learner that fixes its dimension up front has weights there from the start; for every other one a feature
// that was never seen has weight 0.
TEST_P(Conformance, unseen_indices_count_nothing) {
  const auto sampler = trained();
  const std::vector<FeatureView::Index> unseen{1'000'000};
  const std::vector<double> one{1.0};
  const double margin = sampler->margin(FeatureView::sparse(unseen, one));
  if (has_offset(GetParam())) {
    EXPECT_TRUE(std::isfinite(margin));
  } else {
    EXPECT_EQ(margin, 0);
  }
}

TEST_P(Conformance, an_untouched_sampler_predicts_and_saves) {
  const auto sampler = make();
  EXPECT_TRUE(std::isfinite(sampler->margin(stream()[0].x())));
  const auto restored = make();
  restored->load(snapshot_of(*sampler), "");
  EXPECT_EQ(snapshot_of(*restored), snapshot_of(*sampler));
  EXPECT_EQ(sampler->tally().round, 0);
}

TEST_P(Conformance, tasks_have_coins_of_their_own) {
  const auto first = make(1, 0, Exactness::exact);
  const auto second = make(1, 1, Exactness::exact);
  EXPECT_NE(first->ask(stream()[0].x()).coin, second->ask(stream()[0].x()).coin);
}

/// Labels for instances of any size: each is learned, or it is refused and the learner has not changed; what
/// is kept is finite.
class AnySize : public Conformance {
 protected:
  /// Every second feature is multiplied by `scale`, the others by `other`.
  void offer(test::SparseExample example, double scale, double other) {
    for (std::size_t k = 0; k < example.values.size(); ++k) example.values[k] *= k % 2 == 0 ? scale : other;
    const FeatureView x = example.x();
    const Snapshot before = learner_of(*sampler_);
    try {
      Query query = sampler_->ask(x);
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

TEST_P(AnySize, from_1e_300_to_1e300_and_back_to_ordinary_numbers) {
  offer_all(120, [](std::size_t k) { return std::pow(10, static_cast<double>(k * 37 % 61) * 10 - 300); });
  expect_to_be_saved();
  EXPECT_GT(learned_, 0);
  EXPECT_GT(refused_, 0);
  offer_all(40, [](std::size_t /*k*/) { return 1; });
}

// Precision is lost long before numbers end, and not at the first label.
TEST_P(AnySize, the_same_size_again_and_again) {
  for (const double size : {1e-77, 1e8, 1e77}) {
    sampler_ = make();
    offer_all(50, [&](std::size_t /*k*/) { return size; });
    expect_to_be_saved();
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, AnySize, testing::ValuesIn(all_pairs()), name_of);
INSTANTIATE_TEST_SUITE_P(Pairs, Conformance, testing::ValuesIn(all_pairs()), name_of);

// The laws that the lazy spread rests on.
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
      ASSERT_EQ(here, probability(-margin, spread)) << R::info.name << " looks at the sign";
    }
  }
}

TEST(RuleLaw, the_probability_never_rises_with_the_margin_and_never_falls_with_the_spread) {
  for_each_type(Rules{}, []<class R>() { expect_laws<R>(); });
}

}  // namespace
}  // namespace askfew

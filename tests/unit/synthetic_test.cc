// Synthetic streams are what their definitions say, and the same however they are read.

#include "askfew/streams/synthetic/synthetic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

#include "askfew/streams/open.h"
#include "askfew/streams/synthetic/index_set.h"
#include "askfew/streams/synthetic/table.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

/// All rounds, straight from the generator.
Examples made(Generator& generator) {
  Examples all;
  for (std::uint64_t t = 1; t <= generator.rounds(); ++t) generator.add(t, all);
  return all;
}

Examples read(const std::string& text, const StreamOptions& options = {}) {
  const auto stream = open_stream(text, options);
  Examples all;
  Examples block;
  while (stream->next(block).value()) {
    for (std::size_t row = 0; row < block.size(); ++row) all.append(block, row);
  }
  return all;
}

double dot(const std::vector<double>& u, FeatureView x) {
  double sum = 0;
  x.for_each([&](FeatureView::Index i, double v) { sum += u[i] * v; });
  return sum;
}

bool is_positive(const Examples& examples, std::size_t row) {
  EXPECT_EQ(examples.labels(row).size(), 1U);
  const Examples::LabelId label = examples.labels(row)[0];
  EXPECT_TRUE(label == 1 || label == -1) << label;
  return label == 1;
}

/// Is a share of n trials within four standard errors of its probability?
void expect_share(double hits, double n, double probability) {
  EXPECT_NEAR(hits / n, probability, 4 * std::sqrt(probability * (1 - probability) / n));
}

std::string complaint(const std::string& text) {
  try {
    make_generator(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ShiftingGaussian, has_independent_gaussian_features_and_the_teachers_labels) {
  ShiftingGaussian generator({.d = 10, .n = 20'000});
  const Examples all = made(generator);
  ASSERT_EQ(all.size(), 20'000U);
  double sum = 0;
  double squares = 0;
  double products = 0;
  double beyond_two = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const FeatureView x = all.x(row);
    ASSERT_EQ(x.size(), 10U);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x.values()[i];
      sum += v;
      squares += v * v;
      products += v * x.values()[(i + 1) % x.size()];
      beyond_two += std::abs(v) > 2 ? 1 : 0;
    }
    EXPECT_EQ(is_positive(all, row), dot(generator.teacher(row + 1), x) > 0) << row;
  }
  const double n = 200'000;
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));  // the variance of a square is 2
  EXPECT_NEAR(products / n, 0, 4 / std::sqrt(n));
  expect_share(beyond_two, n, std::erfc(std::sqrt(2.0)));
}

TEST(ShiftingGaussian, switches_the_teacher_after_every_so_many_rounds_and_at_no_other) {
  const ShiftingGaussian generator({.d = 5, .n = 50, .switch_after = 7});
  std::set<std::vector<double>> teachers;
  for (std::uint64_t t = 1; t < 50; ++t) {
    teachers.insert(generator.teacher(t));
    EXPECT_EQ(generator.teacher(t) != generator.teacher(t + 1), t % 7 == 0) << t;
  }
  EXPECT_EQ(teachers.size(), 7U);
  double squares = 0;
  const ShiftingGaussian other({.d = 1000, .n = 100, .switch_after = 1});
  for (std::uint64_t t = 1; t <= 100; ++t) squares += FeatureView::sum_of_squares(other.teacher(t));
  EXPECT_NEAR(squares / 100'000, 1, 4 * std::sqrt(2 / 100'000.0));
}

TEST(LinearNoise, has_unit_norms_and_labels_of_the_models_probability) {
  LinearNoise generator({.d = 8, .n = 40'000});
  const std::vector<double> u = generator.teacher(1);
  EXPECT_NEAR(FeatureView::sum_of_squares(u), 1, 1e-14);
  const Examples all = made(generator);
  constexpr int bins = 10;  // of u.x
  std::vector<double> rounds(bins);
  std::vector<double> positive(bins);
  std::vector<double> expected(bins);
  for (std::size_t row = 0; row < all.size(); ++row) {
    EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
    const double m = dot(u, all.x(row));
    const auto bin = static_cast<std::size_t>(std::clamp((m + 1) / 2 * bins, 0.0, bins - 1.0));
    ++rounds[bin];
    positive[bin] += is_positive(all, row) ? 1 : 0;
    expected[bin] += (1 + m) / 2;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    ASSERT_GT(rounds[bin], 1000);
    expect_share(positive[bin], rounds[bin], expected[bin] / rounds[bin]);
  }
}

TEST(LinearNoise, has_a_share_of_eps_to_the_alpha_of_instances_within_eps) {
  for (const double alpha : {0.5, 1.0, 3.0}) {
    for (const double reach : {1.0, 0.4}) {
      LinearNoise generator({.d = 4, .n = 20'000, .alpha = alpha, .reach = reach});
      const std::vector<double> u = generator.teacher(1);
      const Examples all = made(generator);
      for (const double eps : {0.3 * reach, 0.6 * reach, 0.9 * reach}) {
        double near = 0;
        double near_and_above = 0;
        for (std::size_t row = 0; row < all.size(); ++row) {
          const double m = dot(u, all.x(row));
          near += std::abs(m) <= eps ? 1 : 0;
          near_and_above += m > 0 && m <= eps ? 1 : 0;
        }
        SCOPED_TRACE(testing::Message() << alpha << " " << reach << " " << eps);
        expect_share(near, 20'000, std::pow(eps / reach, alpha));
        expect_share(near_and_above, near, 0.5);
      }
    }
  }
}

TEST(LinearNoise, has_a_hard_gap_if_alpha_is_infinite) {
  LinearNoise generator({.d = 6, .n = 5000, .alpha = infinity, .reach = 0.2});
  const std::vector<double> u = generator.teacher(1);
  const Examples all = made(generator);
  double positive = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const double m = dot(u, all.x(row));
    EXPECT_NEAR(std::abs(m), 0.2, 1e-14);
    positive += is_positive(all, row) == (m > 0) ? 1 : 0;
  }
  expect_share(positive, 5000, 0.6);
  EXPECT_EQ(complaint("synthetic:linear-noise:alpha=inf"),
            "linear-noise: alpha = inf needs a reach below 1, or all instances are u or -u");
}

TEST(Separable, keeps_the_margin_and_turns_the_asked_share_of_labels) {
  for (const double margin : {0.0, 0.1, 0.7, 1.0}) {
    for (const double noise : {0.0, 0.15}) {
      SCOPED_TRACE(testing::Message() << margin << " " << noise);
      // With two features, what lies across u can be anything but along it.
      Separable generator({.d = 2, .n = 10'000, .margin = margin, .noise = noise});
      const std::vector<double> u = generator.teacher(1);
      const Examples all = made(generator);
      double above = 0;
      double turned = 0;
      double beyond_the_middle = 0;
      for (std::size_t row = 0; row < all.size(); ++row) {
        const double m = dot(u, all.x(row));
        EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
        EXPECT_GE(std::abs(m), margin - 1e-14);
        above += m > 0 ? 1 : 0;
        turned += is_positive(all, row) != (m > 0) ? 1 : 0;
        beyond_the_middle += std::abs(m) > (1 + margin) / 2 ? 1 : 0;
      }
      expect_share(above, 10'000, 0.5);
      expect_share(turned, 10'000, noise);
      if (margin < 1) expect_share(beyond_the_middle, 10'000, 0.5);
    }
  }
}

TEST(SparseText, has_so_many_words_with_values_of_norm_1_and_zipfs_frequencies) {
  SparseText generator({.n = 20'000, .vocabulary = 500, .words = 12});
  const Examples all = made(generator);
  std::vector<double> documents(500);
  double repeated = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const FeatureView x = all.x(row);
    ASSERT_EQ(x.size(), 12U);
    EXPECT_NEAR(x.squared_norm(), 1, 1e-14);
    EXPECT_TRUE(std::is_sorted(x.indices(), x.indices() + x.size(), std::less_equal<>()));
    EXPECT_LE(x.extent(), 500U);
    const double once = *std::min_element(x.values(), x.values() + x.size());
    EXPECT_GT(once, 0);
    x.for_each([&](FeatureView::Index i, double value) {
      ++documents[i];
      // A whole frequency f, told by 1 + ln f, where some word comes once.
      const double f = std::exp(value / once - 1);
      EXPECT_NEAR(f, std::round(f), 1e-9);
      repeated += f > 1.5 ? 1 : 0;
    });
  }
  EXPECT_GT(repeated, 0.05 * 12 * 20'000);
  EXPECT_TRUE(std::none_of(documents.begin(), documents.end(), [](double n) { return n == 0; }));
  // A word of rank r is absent from a document with about (1 - p)^N; so the ranks can be read off.
  std::sort(documents.begin(), documents.end(), std::greater<>());
  const double drawn_at_10 = -std::log1p(-documents[9] / 20'000);
  const double drawn_at_100 = -std::log1p(-documents[99] / 20'000);
  EXPECT_NEAR(drawn_at_10 / drawn_at_100, 10, 1);
}

TEST(SparseText, has_topics_that_its_teachers_know_with_a_harmonic_share_each) {
  SparseText generator({.n = 20'000, .topics = 20, .share = 0.4});
  EXPECT_EQ(generator.label_kind(), LabelKind::topics);
  const Examples all = made(generator);
  for (Examples::LabelId topic = 1; topic <= 20; ++topic) {
    const std::vector<double> u = generator.teacher(1, topic);
    double of_topic = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
      const auto labels = all.labels(row);
      const bool has = std::find(labels.begin(), labels.end(), topic) != labels.end();
      EXPECT_EQ(has, dot(u, all.x(row)) > 0) << topic << " " << row;
      of_topic += has ? 1 : 0;
    }
    SCOPED_TRACE(topic);
    expect_share(of_topic, 20'000, 0.4 / topic);
  }
}

TEST(SparseText, has_binary_labels_for_one_topic) {
  for (const double topics : {0.0, 1.0}) {
    SparseText generator({.n = 5000, .vocabulary = 2000, .words = 30, .topics = topics});
    EXPECT_EQ(generator.label_kind(), LabelKind::binary);
    const Examples all = made(generator);
    const std::vector<double> u = generator.teacher(1);
    double positive = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
      EXPECT_EQ(is_positive(all, row), dot(u, all.x(row)) > 0) << row;
      positive += is_positive(all, row) ? 1 : 0;
    }
    expect_share(positive, 5000, 0.5);
  }
}

TEST(ZipfVocabulary, has_the_probabilities_of_its_ranks) {
  Draws draws(3, CoinPurpose::teacher, 0);
  const ZipfVocabulary vocabulary(1000, 1.2, draws);
  std::set<std::size_t> ranks;
  double sum = 0;
  double first = 0;
  for (std::uint32_t word = 0; word < 1000; ++word) {
    ranks.insert(vocabulary.rank(word));
    sum += vocabulary.probability(word);
    if (vocabulary.rank(word) == 1) first = vocabulary.probability(word);
  }
  EXPECT_EQ(ranks.size(), 1000U);
  EXPECT_EQ(*ranks.begin(), 1U);
  EXPECT_EQ(*ranks.rbegin(), 1000U);
  EXPECT_NEAR(sum, 1, 1e-13);
  for (std::uint32_t word = 0; word < 1000; ++word) {
    const auto rank = static_cast<double>(vocabulary.rank(word));
    EXPECT_NEAR(vocabulary.probability(word) / first, std::pow(rank, -1.2), 1e-14);
  }
}

TEST(ZipfVocabulary, knows_how_many_draws_give_so_many_different_words) {
  Draws draws(4, CoinPurpose::teacher, 0);
  const ZipfVocabulary vocabulary(1000, 1, draws);
  std::vector<std::uint32_t> words(1000);
  std::iota(words.begin(), words.end(), 0U);
  std::vector<double> weights;
  for (const std::uint32_t word : words) weights.push_back(vocabulary.probability(word));
  const AliasTable table(words, weights);
  double drawn = 0;
  for (int time = 0; time < 1000; ++time) {
    std::set<std::uint32_t> different;
    for (; different.size() < 50; ++drawn) different.insert(table.draw(draws));
  }
  EXPECT_NEAR(vocabulary.draws_for(50), drawn / 1000, 0.02 * drawn / 1000);
}

TEST(AliasTable, draws_with_the_probabilities_of_the_weights) {
  const std::vector<std::uint32_t> numbers{7, 3, 900, 4, 5};
  const std::vector<double> weights{1, 20, 0.5, 3, 3};
  const AliasTable table(numbers, weights);
  Draws draws(3, CoinPurpose::example, 1);
  std::map<std::uint32_t, double> drawn;
  constexpr int n = 100'000;
  for (int k = 0; k < n; ++k) ++drawn[table.draw(draws)];
  EXPECT_EQ(drawn.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) expect_share(drawn[numbers[k]], n, weights[k] / 27.5);
}

TEST(IndexSet, gives_numbers_in_order_once_and_is_empty_then) {
  IndexSet set(100'000);
  std::uint64_t size = 0;
  for (const std::uint32_t k : {99'999U, 5U, 64U, 63U, 5U, 4096U, 0U, 70'000U, 4095U, 0U})
    size += set.insert(k);
  EXPECT_EQ(size, 8U);
  std::vector<std::uint32_t> drained;
  set.drain([&](std::uint32_t k) { drained.push_back(k); });
  EXPECT_EQ(drained, (std::vector<std::uint32_t>{0, 5, 63, 64, 4095, 4096, 70'000, 99'999}));
  set.drain([](std::uint32_t k) { ADD_FAILURE() << k; });
}

TEST(Synthetic, examples_do_not_depend_on_blocks_or_on_those_before_them) {
  for (const SyntheticEntry& entry : synthetic_entries()) {
    SCOPED_TRACE(entry.info.name);
    const std::string text = fmt::format("synthetic:{}:n=700,seed=5", entry.info.name);
    const Examples all = read(text);
    ASSERT_EQ(all.size(), 700U);
    for (const std::size_t chunk : {1U, 5000U, 100'000'000U}) {
      EXPECT_TRUE(test::same(read(text, {.threads = 3, .chunk = chunk}), all)) << chunk;
    }
    const auto generator = make_generator(text);
    for (const std::uint64_t t : {700U, 1U, 501U, 500U}) {
      Examples alone;
      generator->add(t, alone);
      Examples before;
      before.append(all, t - 1);
      EXPECT_TRUE(test::same(alone, before)) << t;
    }
    // More rounds have the same beginning; another seed does not.
    const Examples longer = read(fmt::format("synthetic:{}:n=800,seed=5", entry.info.name));
    const Examples other = read(fmt::format("synthetic:{}:n=700,seed=6", entry.info.name));
    for (std::size_t row = 0; row < all.size(); ++row) {
      const FeatureView x = all.x(row);
      ASSERT_TRUE(std::equal(x.values(), x.values() + x.size(), longer.x(row).values()));
      ASSERT_FALSE(std::equal(x.values(), x.values() + x.size(), other.x(row).values()));
    }
    EXPECT_NE(generator->teacher(1),
              make_generator(fmt::format("synthetic:{}:seed=6", entry.info.name))->teacher(1));
  }
}

TEST(Synthetic, opens_like_a_file) {
  const std::string text = "synthetic:separable:d=3,n=5";
  const auto stream = open_stream(text, {.features = {.bias = 2}});
  EXPECT_EQ(stream->dimension(), 4U);
  EXPECT_EQ(stream->label_id("-1"), -1);
  EXPECT_EQ(stream->label_name(1), "1");
  EXPECT_EQ(stream->name(), "synthetic:separable:d=3,margin=0.1,n=5,noise=0,seed=1");
  ASSERT_EQ(stream->origins().size(), 1U);
  EXPECT_EQ(stream->origins()[0].name, stream->name());
  Examples block;
  ASSERT_TRUE(stream->next(block).value());
  EXPECT_EQ(block.size(), 5U);
  EXPECT_EQ(block.x(0).values()[0], 2);
  EXPECT_EQ(block.line(4), 5U);
  EXPECT_FALSE(stream->next(block).value());
}

TEST(Synthetic, is_normalized_if_asked) {
  const Examples all = read("synthetic:shifting-gaussian:n=20", {.features = {.normalize = true}});
  for (std::size_t row = 0; row < all.size(); ++row) EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
}

TEST(Synthetic, goes_with_other_streams_and_files) {
  const test::TemporaryFile file("+1 1:0.5\n-1 2:1\n");
  const std::vector<std::string> paths{"synthetic:separable:d=3,n=5", file.path(),
                                       "synthetic:linear-noise:d=3,n=4"};
  const auto stream = open_stream(paths, {});
  EXPECT_EQ(stream->origins().size(), 3U);
  std::vector<std::size_t> sizes;
  Examples block;
  while (stream->next(block).value()) sizes.push_back(block.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{5, 2, 4}));
  EXPECT_THROW(open_stream("synthetic:separable:d=3", {.dimension = 2}), ConfigError);
}

TEST(Synthetic, says_what_is_wrong_with_a_text) {
  EXPECT_EQ(
      complaint("synthetic:gauss"),
      "unknown synthetic stream 'gauss': known: shifting-gaussian, linear-noise, separable, sparse-text");
  EXPECT_EQ(complaint("synthetic:seperable"),
            "unknown synthetic stream 'seperable': did you mean 'separable'?");
  EXPECT_EQ(complaint("synthetic:"),
            "unknown synthetic stream '': known: shifting-gaussian, linear-noise, separable, sparse-text");
  EXPECT_EQ(complaint("synthetic:separable:gap=1"),
            "separable has no parameter 'gap': known: d, n, margin, noise, seed");
  EXPECT_EQ(complaint("synthetic:separable:margin=1.5"),
            "separable: margin = 1.5 is out of range, accepted: [0, 1]");
  EXPECT_EQ(complaint("synthetic:separable:d=1"),
            "separable: d = 1 is out of range, accepted: integer from 2 to 16777216");
  EXPECT_EQ(complaint("synthetic:separable:n=0"), "separable: n = 0 is out of range, accepted: integer >= 1");
  EXPECT_EQ(complaint("synthetic:linear-noise:alpha=0"),
            "linear-noise: alpha = 0 is out of range, accepted: (0, inf]");
  EXPECT_EQ(complaint("synthetic:separable:d=few"), "d = 'few' is not a number");
  EXPECT_EQ(complaint("synthetic:separable:d=3,d=4"), "'separable:d=3,d=4' gives d twice");
  EXPECT_EQ(complaint("synthetic:separable:"), "'' in 'separable:' is not parameter=value");
  EXPECT_EQ(complaint("synthetic:sparse-text:words=60,vocabulary=100"),
            "sparse-text: words = 60 is more than half of the vocabulary of 100");
  EXPECT_EQ(complaint("synthetic:sparse-text:vocabulary=100,words=10,topics=200"),
            "sparse-text: vocabulary = 100 has too few rare words for the keywords of topic 3");
}

}  // namespace
}  // namespace askfew

// Synthetic documents, and the distributions that generate them.

#include "askfew/streams/formats/synthetic/sparse_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "tests/unit/synthetic.h"

namespace askfew {
namespace {

using test::dot;
using test::expect_share;
using test::is_positive;
using test::made;

TEST(SparseText, has_the_given_number_of_words_with_norm_1_and_zipfs_frequencies) {
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
      // The frequency f is a whole number, recovered from 1 + ln f, if some word occurs once.
      const double f = std::exp(value / once - 1);
      EXPECT_NEAR(f, std::round(f), 1e-9);
      repeated += f > 1.5 ? 1 : 0;
    });
  }
  EXPECT_GT(repeated, 0.05 * 12 * 20'000);
  EXPECT_TRUE(std::none_of(documents.begin(), documents.end(), [](double n) { return n == 0; }));
  // A word of rank r is absent from a document with probability about (1 - p)^N; so the ranks can be
  // estimated.
  std::sort(documents.begin(), documents.end(), std::greater<>());
  const double drawn_at_10 = -std::log1p(-documents[9] / 20'000);
  const double drawn_at_100 = -std::log1p(-documents[99] / 20'000);
  EXPECT_NEAR(drawn_at_10 / drawn_at_100, 10, 1);
}

TEST(SparseText, has_the_topics_of_its_teachers_with_harmonic_shares) {
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

TEST(ZipfVocabulary, gives_the_number_of_draws_for_a_number_of_different_words) {
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

TEST(IndexSet, gives_each_number_once_in_order_and_is_empty_afterwards) {
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

}  // namespace
}  // namespace askfew

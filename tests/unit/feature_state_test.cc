#include "askfew/features/feature_state.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "askfew/core/snapshot.h"
#include "askfew/features/text_features.h"
#include "askfew/system/memory_limit.h"

namespace askfew {
namespace {

using Row = std::map<FeatureView::Index, double>;

Row row_of(const Examples& block, std::size_t row) {
  Row values;
  block.x(row).for_each([&](FeatureView::Index i, double v) { values[i] = v; });
  EXPECT_EQ(values.size(), block.x(row).size());
  double squares = 0;
  for (std::size_t k = 0; k < block.x(row).size(); ++k)
    squares += block.x(row).values()[k] * block.x(row).values()[k];
  EXPECT_EQ(block.x(row).squared_norm(), squares);
  for (std::size_t k = 1; !block.x(row).is_dense() && k < block.x(row).size(); ++k) {
    EXPECT_LT(block.x(row).indices()[k - 1], block.x(row).indices()[k]);
  }
  return values;
}

void add_text(std::string_view text, const TextFeatures& features, TextScratch& scratch, Examples& block) {
  block.begin(1);
  features.add(text, block, scratch);
  features.finish(block, scratch);
  block.end_sparse();
}

Examples block_of(const std::vector<std::string>& texts, const FeatureOptions& options) {
  const TextFeatures features(options.text);
  TextScratch scratch(features);
  Examples block;
  block.set_bias(options.bias);
  for (const std::string& text : texts) add_text(text, features, scratch, block);
  return block;
}

const FeatureOptions with_dictionary{.text = {.dictionary = true}};

TEST(Dictionary, numbers_words_in_the_order_of_their_first_appearance) {
  FeatureState state(with_dictionary);
  Examples block = block_of({"b a b", "c a"}, with_dictionary);
  state.finish(block, 0, 2);
  EXPECT_EQ(row_of(block, 0), (Row{{0, 1 + std::log(2.0)}, {1, 1}}));
  EXPECT_EQ(row_of(block, 1), (Row{{1, 1}, {2, 1}}));
  Examples next = block_of({"d c b"}, with_dictionary);  // this block has its own table
  state.finish(next, 0, 1);
  EXPECT_EQ(row_of(next, 0), (Row{{0, 1}, {2, 1}, {3, 1}}));
  EXPECT_EQ(state.words().size(), 4);
}

TEST(Dictionary, contains_only_words_of_finished_examples) {
  FeatureState state(with_dictionary);
  Examples block = block_of({"a b", "c a d", "e"}, with_dictionary);
  state.finish(block, 0, 1);
  EXPECT_EQ(state.words().size(), 2);
  state.finish(block, 1, 1);
  EXPECT_EQ(state.words().size(), 4);
  EXPECT_EQ(row_of(block, 1), (Row{{0, 1}, {2, 1}, {3, 1}}));
}

TEST(Dictionary, does_not_contain_words_of_a_retracted_example) {
  const TextFeatures features(with_dictionary.text);
  TextScratch scratch(features);
  Examples block;
  block.begin(1);
  features.add("z y", block, scratch);
  features.finish(block, scratch);
  block.abandon();
  add_text("x y z", features, scratch, block);
  FeatureState state(with_dictionary);
  state.finish(block, 0, 1);
  EXPECT_EQ(state.words()[0], "x");
  EXPECT_EQ(state.words()[1], "y");
}

TEST(Dictionary, a_full_dictionary_ignores_new_words) {
  FeatureOptions options = with_dictionary;
  options.text.max_words = 2;
  FeatureState state(options);
  Examples block = block_of({"a b c a", "c", "b d"}, options);
  state.finish(block, 0, 3);
  EXPECT_EQ(row_of(block, 0), (Row{{0, 1 + std::log(2.0)}, {1, 1}}));
  EXPECT_EQ(row_of(block, 1), Row{});
  EXPECT_EQ(row_of(block, 2), (Row{{1, 1}}));
}

TEST(Dictionary, applying_it_learns_nothing_and_ignores_unknown_words) {
  FeatureState state(with_dictionary);
  Examples seen = block_of({"a b"}, with_dictionary);
  state.finish(seen, 0, 1);
  Examples block = block_of({"c b", "x", "b a b"}, with_dictionary);
  RowSorter sorter;
  state.apply(block, 0, 3, sorter);
  EXPECT_EQ(row_of(block, 0), (Row{{1, 1}}));
  EXPECT_EQ(row_of(block, 1), Row{});
  EXPECT_EQ(row_of(block, 2), (Row{{0, 1}, {1, 1 + std::log(2.0)}}));
  EXPECT_EQ(state.words().size(), 2);
}

TEST(Dictionary, is_charged_to_the_memory_limit) {
  FeatureState state(with_dictionary, std::make_shared<MemoryLimit>(100'000));
  std::string text;
  for (int k = 0; k < 20'000; ++k) text += "w" + std::to_string(k) + " ";
  Examples block = block_of({"a few words", text}, with_dictionary);
  state.finish(block, 0, 1);
  EXPECT_THROW(state.finish(block, 1, 1), MemoryError);
}

double idf(double n, double df) {
  return 1 + (std::log(1 + n) - std::log(1 + df));
}

TEST(TfIdf, weights_depend_on_the_documents_so_far_including_the_present_one) {
  const FeatureOptions options{.tf_idf = true};
  FeatureState state(options);
  Examples block;
  for (const Row& row : {Row{{3, 2}, {7, 1}}, Row{{3, 1}}, Row{}, Row{{7, 0}, {9, -1}}}) {
    block.begin(1);
    for (const auto& [index, value] : row) block.add_feature(index, value);
    block.end_sparse();
  }
  state.finish(block, 0, 4);
  EXPECT_EQ(row_of(block, 0), (Row{{3, 2}, {7, 1}}));  // ln(2) - ln(2) = 0
  EXPECT_EQ(row_of(block, 1), (Row{{3, idf(2, 2)}}));
  EXPECT_EQ(row_of(block, 2), Row{});
  EXPECT_EQ(row_of(block, 3), (Row{{7, 0}, {9, -idf(4, 1)}}));  // a zero does not count as an occurrence
  Examples later;
  later.begin(1);
  for (const FeatureView::Index index : {3U, 7U, 9U, 1000U}) later.add_feature(index, 1);
  later.end_sparse();
  RowSorter sorter;
  state.apply(later, 0, 1, sorter);
  EXPECT_EQ(row_of(later, 0), (Row{{3, idf(4, 2)}, {7, idf(4, 1)}, {9, idf(4, 1)}, {1000, idf(4, 0)}}));
  EXPECT_EQ(state.documents(), 4);
}

TEST(TfIdf, works_on_dense_instances) {
  FeatureState state({.tf_idf = true});
  Examples block;
  for (const double second : {0.0, 5.0}) {
    block.begin(1);
    block.add_dense(1);
    block.add_dense(second);
    block.end_dense();
  }
  state.finish(block, 0, 2);
  EXPECT_EQ(row_of(block, 1), (Row{{0, 1}, {1, 5 * idf(2, 1)}}));
}

TEST(TfIdf, agrees_with_a_recomputation_from_all_documents_before) {
  std::mt19937 random(5);
  std::vector<std::string> texts;
  for (int k = 0; k < 300; ++k) {
    std::string text;
    for (std::size_t words = random() % 20; words > 0; --words) {
      text += "w" +
              std::to_string(static_cast<int>(std::pow(50.0, static_cast<double>(random() % 1000) / 1000))) +
              " ";
    }
    texts.push_back(text);
  }
  const FeatureOptions options{.text = {.dictionary = true}, .tf_idf = true, .bias = 2, .normalize = true};
  FeatureState state(options);
  Examples block = block_of(texts, options);
  for (std::size_t first = 0; first < texts.size(); first += 50) state.finish(block, first, 50);

  // The same, computed slowly: counts by name, over all documents up to each.
  std::vector<std::map<std::string, double>> counts;
  std::map<std::string, FeatureView::Index> numbers;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    auto& count = counts.emplace_back();
    for (std::size_t at = 0; at < texts[k].size();) {
      const std::size_t space = texts[k].find(' ', at);
      const std::string word = texts[k].substr(at, space - at);
      ++count[word];
      numbers.try_emplace(word, static_cast<FeatureView::Index>(numbers.size()));
      at = space + 1;
    }
    Row expected;
    double squares = 0;
    for (const auto& [word, n] : count) {
      double df = 0;
      for (std::size_t j = 0; j <= k; ++j) df += counts[j].contains(word) ? 1 : 0;
      const double value = (1 + std::log(n)) * idf(static_cast<double>(k + 1), df);
      expected[numbers.at(word) + 1] = value;
      squares += value * value;
    }
    for (auto& [index, value] : expected) value /= std::sqrt(squares);
    const double with_bias = std::sqrt(4 + (expected.empty() ? 0.0 : 1.0));
    expected[0] = 2;
    const Row got = row_of(block, k);
    ASSERT_EQ(got.size(), expected.size());
    for (const auto& [index, value] : expected) ASSERT_NEAR(got.at(index), value / with_bias, 1e-14);
  }
}

TEST(Bias, is_feature_0_and_adds_1_to_all_other_indices) {
  Examples block;
  block.set_bias(0.5);
  block.begin(1);
  block.add_feature(0, 3);
  block.add_feature(4, 4);
  block.end_sparse();
  block.begin(2);
  block.add_dense(3);
  block.add_dense(4);
  block.end_dense();
  block.begin(3);
  block.end_sparse();
  EXPECT_EQ(row_of(block, 0), (Row{{0, 0.5}, {1, 3}, {5, 4}}));
  EXPECT_EQ(row_of(block, 1), (Row{{0, 0.5}, {1, 3}, {2, 4}}));
  EXPECT_EQ(row_of(block, 2), (Row{{0, 0.5}}));
}

TEST(Bias, has_the_same_value_in_every_normalized_instance) {
  Examples block;
  block.set_bias(0.75);
  for (const double size : {1.0, 1e-200, 1e200}) {
    block.begin(1);
    block.add_feature(0, 3 * size);
    block.add_feature(1, 4 * size);
    block.end_sparse();
    block.normalize(block.size() - 1);
    const Row row = row_of(block, block.size() - 1);  // (0.75, 0.6, 0.8) / 1.25
    EXPECT_NEAR(row.at(0), 0.6, 1e-15);
    EXPECT_NEAR(row.at(1), 0.48, 1e-15);
    EXPECT_NEAR(row.at(2), 0.64, 1e-15);
  }
}

TEST(FeatureState, is_the_same_if_examples_come_in_parts_or_the_state_is_saved_and_loaded) {
  std::mt19937 random(6);
  std::vector<std::string> texts;
  for (int k = 0; k < 200; ++k) {
    std::string text;
    for (std::size_t words = random() % 30; words > 0; --words)
      text += std::string(1, static_cast<char>('a' + random() % 26)) + (random() % 3 == 0 ? " " : "");
    texts.push_back(text);
  }
  const FeatureOptions options{
      .text = {.ngrams = {1, 2}, .dictionary = true, .max_words = 300}, .tf_idf = true, .normalize = true};
  FeatureState at_once(options);
  Examples whole = block_of(texts, options);
  at_once.finish(whole, 0, whole.size());

  auto in_parts = std::make_unique<FeatureState>(options);
  for (std::size_t first = 0; first < texts.size();) {
    const std::size_t rows = std::min<std::size_t>(1 + random() % 40, texts.size() - first);
    Examples block = block_of({texts.begin() + static_cast<std::ptrdiff_t>(first),
                               texts.begin() + static_cast<std::ptrdiff_t>(first + rows)},
                              options);
    for (std::size_t row = 0; row < rows; ++row) {
      in_parts->finish(block, row, 1);
      Snapshot snapshot;
      SnapshotWriter save(snapshot, "");
      FeatureState::state(std::as_const(*in_parts), save);
      in_parts = std::make_unique<FeatureState>(options);
      SnapshotReader load(snapshot, "");
      FeatureState::state(*in_parts, load);
      ASSERT_TRUE(in_parts->consistent());
      ASSERT_EQ(row_of(block, row), row_of(whole, first + row));
    }
    first += rows;
  }
}

TEST(FeatureState, without_dictionary_and_tf_idf_changes_nothing_and_has_no_state) {
  const FeatureOptions options{.normalize = true};
  FeatureState state(options);
  Examples block = block_of({"a b a"}, options);
  const Row before = row_of(block, 0);
  state.finish(block, 0, 1);
  EXPECT_EQ(row_of(block, 0), before);
  Snapshot snapshot;
  SnapshotWriter save(snapshot, "");
  FeatureState::state(std::as_const(state), save);
  EXPECT_TRUE(snapshot.tensors.empty());
}

}  // namespace
}  // namespace askfew

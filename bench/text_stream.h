#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/core/label.h"

namespace askfew::bench {

/// Labelled examples in memory.
struct Data {
  Examples examples;
  std::vector<Label> labels;
};

constexpr FeatureView::Index text_dimension = 47'000;

/// Instances that resemble text: 47,000 features with Zipf's frequencies, 75 features per row, unit norms. A
/// random teacher labels them; 5% of the labels are wrong.
inline Data text_stream(std::size_t rows) {
  constexpr std::size_t nonzeros = 75;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  std::vector<double> teacher(text_dimension);
  for (double& u : teacher) u = normal(random);
  Data data;
  std::vector<FeatureView::Index> words;
  for (std::size_t row = 0; row < rows; ++row) {
    words.clear();
    while (words.size() < nonzeros) {
      // Zipf's law: the logarithm of the rank is uniform.
      const auto word = static_cast<FeatureView::Index>(std::pow(text_dimension, uniform(random))) - 1;
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    data.examples.begin(row + 1);
    double score = 0;
    for (const FeatureView::Index word : words) {
      const double value = 0.5 + uniform(random);
      score += teacher[word] * value;
      data.examples.add_feature(word, value);
    }
    data.examples.end_sparse();
    data.examples.normalize(row);
    data.labels.push_back((score > 0) != (uniform(random) < 0.05) ? Label::positive : Label::negative);
  }
  return data;
}

}  // namespace askfew::bench

#include "askfew/streams/synthetic/zipf_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace askfew {

ZipfWords::ZipfWords(std::size_t vocabulary, double exponent, Draws& draws)
    : probabilities_(vocabulary), ranks_(vocabulary), columns_(vocabulary) {
  double sum = 0;
  for (std::size_t r = 1; r <= vocabulary; ++r) {
    sum += probabilities_[r - 1] = std::pow(static_cast<double>(r), -exponent);
  }
  for (double& p : probabilities_) p /= sum;
  std::iota(ranks_.begin(), ranks_.end(), 1U);
  for (std::size_t k = vocabulary; k > 1; --k) {
    std::swap(ranks_[k - 1], ranks_[static_cast<std::size_t>(draws.uniform() * static_cast<double>(k))]);
  }
  fill_columns();
}

void ZipfWords::fill_columns() {
  std::vector<double> heights(size());  // in columns
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
  for (std::uint32_t word = 0; word < size(); ++word) {
    heights[word] = probability_of_rank(rank(word)) * static_cast<double>(size());
    (heights[word] < 1 ? low : high).push_back(word);
  }
  while (!low.empty() && !high.empty()) {
    const std::uint32_t word = low.back();
    const std::uint32_t filler = high.back();
    low.pop_back();
    columns_[word] = {static_cast<std::uint32_t>(heights[word] * 0x1.0p32), filler};
    heights[filler] -= 1 - heights[word];
    if (heights[filler] >= 1) continue;
    high.pop_back();
    low.push_back(filler);
  }
  // Those left have a column of their own, but for rounding.
  for (const auto* rest : {&low, &high}) {
    for (const std::uint32_t word : *rest) columns_[word] = {0, word};
  }
}

double ZipfWords::draws_for(double different) const {
  // Newton's steps from below: the expected number of different words is concave in the number of draws.
  double draws = different;
  for (int step = 0; step < 20; ++step) {
    double words = 0;
    double slope = 0;
    for (const double p : probabilities_) {
      const double absent = std::exp(-draws * p);
      words += 1 - absent;
      slope += p * absent;
    }
    const double more = (different - words) / slope;
    draws += more;
    if (more < 1e-6 * draws) break;
  }
  return draws;
}

}  // namespace askfew

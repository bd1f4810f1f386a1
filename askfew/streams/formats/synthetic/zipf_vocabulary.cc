#include "askfew/streams/formats/synthetic/zipf_vocabulary.h"

#include <numeric>
#include <utility>

#include "askfew/math/elementary.h"

namespace askfew {

ZipfVocabulary::ZipfVocabulary(std::size_t size, double exponent, Draws& draws)
    : probabilities_(size), ranks_(size) {
  double sum = 0;
  for (std::size_t r = 1; r <= size; ++r) {
    sum += probabilities_[r - 1] = math::pow(static_cast<double>(r), -exponent);
  }
  for (double& p : probabilities_) p /= sum;
  std::iota(ranks_.begin(), ranks_.end(), 1U);
  for (std::size_t k = size; k > 1; --k) {
    std::swap(ranks_[k - 1], ranks_[static_cast<std::size_t>(draws.uniform() * static_cast<double>(k))]);
  }
}

double ZipfVocabulary::draws_for(double different) const {
  // Newton's steps from below: the expected number of different words is concave in the number of draws.
  double draws = different;
  for (int step = 0; step < 20; ++step) {
    double words = 0;
    double slope = 0;
    for (const double p : probabilities_) {
      const double absent = math::exp(-draws * p);
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

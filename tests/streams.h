#pragma once

// Streams with a known comparator, for tests.

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/label.h"

namespace askfew::test {

struct SparseExample {
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
  Label y = Label::negative;

  [[nodiscard]] FeatureView x() const { return FeatureView::sparse(indices, values); }
};
using Stream = std::vector<SparseExample>;

inline double dot(const std::vector<double>& u, const SparseExample& example) {
  double sum = 0;
  for (std::size_t k = 0; k < example.indices.size(); ++k) sum += u[example.indices[k]] * example.values[k];
  return sum;
}

/// Sparse instances with `nonzeros` of `dimension` features, optionally scaled to norm 1.
inline SparseExample random_instance(std::mt19937_64& random, std::size_t dimension, std::size_t nonzeros,
                                     bool unit_norm) {
  std::normal_distribution<double> normal;
  SparseExample example;
  for (std::size_t i = 0; i < dimension; ++i) {
    std::uniform_int_distribution<std::size_t> left(0, dimension - i - 1);
    if (left(random) >= nonzeros - example.indices.size()) continue;
    example.indices.push_back(static_cast<FeatureView::Index>(i));
    example.values.push_back(normal(random));
  }
  if (unit_norm) {
    const double norm = std::sqrt(FeatureView::sum_of_squares(example.values));
    for (double& v : example.values) v /= norm;
  }
  return example;
}

inline std::vector<double> random_teacher(std::mt19937_64& random, std::size_t dimension) {
  std::normal_distribution<double> normal;
  std::vector<double> u(dimension);
  for (double& v : u) v = normal(random);
  const double norm = std::sqrt(FeatureView::sum_of_squares(u));
  for (double& v : u) v /= norm;
  return u;
}

/// Labels from a teacher u of norm 1, flipped with probability `noise`. Instances closer to the hyperplane of
/// u than `margin` are drawn again, so that without noise u separates the stream with this margin.
inline Stream teacher_stream(std::uint64_t seed, std::size_t rounds, const std::vector<double>& u,
                             std::size_t nonzeros, double margin = 0, double noise = 0,
                             bool unit_norm = true) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  Stream stream;
  while (stream.size() < rounds) {
    SparseExample example = random_instance(random, u.size(), nonzeros, unit_norm);
    const double score = dot(u, example);
    if (std::abs(score) < margin) continue;
    const bool turned = uniform(random) < noise;
    example.y = (score > 0) != turned ? Label::positive : Label::negative;
    stream.push_back(std::move(example));
  }
  return stream;
}

inline Stream teacher_stream(std::uint64_t seed, std::size_t rounds, std::size_t dimension,
                             std::size_t nonzeros, double margin = 0, double noise = 0,
                             bool unit_norm = true) {
  std::mt19937_64 random(seed + 1000);
  return teacher_stream(seed, rounds, random_teacher(random, dimension), nonzeros, margin, noise, unit_norm);
}

}  // namespace askfew::test

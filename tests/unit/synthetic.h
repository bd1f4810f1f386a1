#pragma once

// Helpers for the tests of synthetic streams.

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "askfew/streams/formats/synthetic/synthetic.h"

namespace askfew::test {

/// All rounds, directly from the generator.
inline Examples made(Generator& generator) {
  Examples all;
  for (std::uint64_t t = 1; t <= generator.rounds(); ++t) generator.add(t, all);
  return all;
}

inline double dot(const std::vector<double>& u, FeatureView x) {
  double sum = 0;
  x.for_each([&](FeatureView::Index i, double v) { sum += u[i] * v; });
  return sum;
}

inline bool is_positive(const Examples& examples, std::size_t row) {
  EXPECT_EQ(examples.labels(row).size(), 1U);
  const Examples::LabelId label = examples.labels(row)[0];
  EXPECT_TRUE(label == 1 || label == -1) << label;
  return label == 1;
}

/// Is a share of n trials within four standard errors of its probability?
inline void expect_share(double hits, double n, double probability) {
  EXPECT_NEAR(hits / n, probability, 4 * std::sqrt(probability * (1 - probability) / n));
}

/// The message about a text that names no stream.
inline std::string complaint(const std::string& text) {
  try {
    make_generator(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace askfew::test

#pragma once

#include "askfew/trials/statistics.h"

#include "papers/data.h"

namespace askfew {

/// Stories with a name for the page, and a text that says all of them that a job's key must say.
struct TextSet {
  std::string name;
  std::string key;
  Topics topics;
};

/// Features under a name.
struct NamedFeatures {
  std::string name;
  FeatureOptions options;
};
/// English words without stop words, cut to stems, weighed by tf-idf, unit norms, and a constant feature.
NamedFeatures standard_features(double bias = 0.2);

TextSet reuters_set(const ExperimentContext& context, const NamedFeatures& features, std::size_t topics,
                    std::size_t most);
TextSet rcv1_set(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most);

/// A sampler at one scale of its rule: several runs, means over the topics.
struct TextPoint {
  double scale = 0;  ///< of the rule; 0 if it has none
  Sample share;
  Sample f1;
};
TextPoint text_point_of(const nlohmann::json& result);

/// The point at which a preset asks for a share of the labels on the first run; at 1 it asks for all. The
/// job keeps a reference to the set.
Job at_rate_job(const TextSet& set, const std::string& preset, double rate, std::size_t runs,
                std::uint64_t seed);
/// The point of a preset whose rule has its scale already.
Job at_scale_job(const TextSet& set, const std::string& preset, std::size_t runs, std::uint64_t seed);

/// F where the points, which ascend in their shares, have this share, by straight lines between them; the
/// nearest point's outside.
double f1_at(const std::vector<TextPoint>& points, double share);

/// A line of F against the share of labels.
Series f1_series(const std::string& title, const std::vector<TextPoint>& points);

}  // namespace askfew

#pragma once

#include <optional>

#include "askfew/trials/statistics.h"

#include "papers/data.h"

namespace askfew {

/// Stories with a name for the page, and a key that names everything that the results of a job depend on.
struct TextSet {
  std::string name;
  std::string key;
  Topics topics;
};

/// Features with a name.
struct NamedFeatures {
  std::string name;
  FeatureOptions options;
};
/// English words without stop words, stemmed, with tf-idf weights, a constant feature and unit norms.
NamedFeatures standard_features(double bias = 0.2);

TextSet reuters_set(const ExperimentContext& context, const NamedFeatures& features, std::size_t topics,
                    std::size_t most);
TextSet rcv1_set(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most);
/// The papers' stories of RCV1-v2 and as many topics as they have, if the file is there; see rcv1_stories.h.
std::optional<TextSet> rcv1_stories_set(const ExperimentContext& context, std::size_t topics,
                                        std::size_t most);

/// The results of a sampler at one scale of its rule: several runs, averaged over the topics.
struct TextPoint {
  double scale = 0;  ///< of the rule; 0 if the rule has none
  Sample share;
  Sample f1;
};
TextPoint text_point_of(const nlohmann::json& result);

/// Searches the scale at which the preset asks for a share `rate` of the labels on the first run, and
/// measures there; rate 1 asks for all labels. The job keeps a reference to the set.
Job at_rate_job(const TextSet& set, const std::string& preset, double rate, std::size_t runs,
                std::uint64_t seed);
/// Measures a preset at the scale that it names.
Job at_scale_job(const TextSet& set, const std::string& preset, std::size_t runs, std::uint64_t seed);

/// Interpolates F linearly at this share, or takes the F of the nearest point outside. REQUIRES: the shares
/// of the points ascend.
double f1_at(const std::vector<TextPoint>& points, double share);

/// A line of F against the share of labels.
Series f1_series(const std::string& title, const std::vector<TextPoint>& points);

}  // namespace askfew

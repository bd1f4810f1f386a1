#pragma once

#include <map>

#include "papers/cbgz_2006/blocks.h"

namespace askfew::cbgz_2006 {

/// The size of the experiment.
struct Plan {
  std::vector<double> rates;
  std::size_t runs = 5;
  std::size_t blocks = 10;
};
Plan plan_of(bool quick);

/// Results on one set of stories.
struct Measured {
  std::string set;
  std::size_t stories = 0;
  std::vector<std::string> topics;
  std::map<std::string, std::vector<TextPoint>> at_rate;  ///< by preset, in the order of the plan's rates
  std::map<std::string, TextPoint> all_labels;            ///< sel-p and sel-2nd
  std::map<std::string, std::vector<TextPoint>> of_b;     ///< sel-p and sel-2nd, in ascending order of b
  double target = 0;  ///< the F to which samplers are tuned for the blocks
  std::map<std::string, Blocks> blocks;
};
Measured measure(const TextSet& set, const Plan& plan, const ExperimentContext& context);

/// Features and learners that were tried for the largest F with a tenth of the labels.
struct Tried {
  std::string name;
  TextPoint tenth;
  TextPoint all;
};
std::vector<Tried> try_features(const ExperimentContext& context, std::size_t topics, std::size_t runs);

nlohmann::json json_of(const Measured& measured);

}  // namespace askfew::cbgz_2006

#pragma once

// One suite that every legal pair of learner and rule passes. The pairs, their parameters and their
// properties come from the catalog and the concepts in core/concepts.h: a new algorithm is tested as soon as
// it is in the catalog.

#include <gtest/gtest.h>

#include "askfew/catalog/pairs.h"

#include "tests/streams.h"

namespace askfew::conformance {

inline constexpr FeatureView::Index dimension = 12;  // small, for the cutting planes

struct Pair {
  LearnerEntry learner;
  SamplerConfig config;
};

/// Every learner with every rule, for each of the learner's test parameters. For the first of these
/// parameters also each of the rule's test parameters and each policy.
inline std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const LearnerEntry& learner : learner_entries()) {
    for (const RuleEntry& rule : rule_entries()) {
      if (!fit(learner, rule)) continue;
      for (const std::string& learner_spec : learner.test_specs) {
        for (const std::string& rule_spec : rule.test_specs) {
          for (const UpdatePolicy policy : learner.policies) {
            const int unusual = (learner_spec != learner.test_specs.front() ? 1 : 0) +
                                (rule_spec != rule.test_specs.front() ? 1 : 0) +
                                (policy != learner.info.policy ? 1 : 0);
            if (unusual > 1) continue;
            pairs.push_back(
                {learner,
                 {.learner = parse_learner(learner_spec), .rule = parse_rule(rule_spec), .update = policy}});
          }
        }
      }
    }
  }
  return pairs;
}

inline std::string text_of(const Pair& pair) {
  return text_of(pair.config.learner) + "_" + text_of(pair.config.rule) + "_" +
         std::string(text_of(pair.config.update));
}

inline void PrintTo(const Pair& pair, std::ostream* out) {
  *out << text_of(pair);
}

inline std::string name_of(const testing::TestParamInfo<Pair>& info) {
  std::string name = text_of(info.param);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

class Conformance : public testing::TestWithParam<Pair> {
 protected:
  [[nodiscard]] static std::unique_ptr<AnySampler> make(std::uint64_t seed = 1, std::uint64_t task = 0,
                                                        Exactness exactness = Exactness::lazy) {
    return make_sampler(GetParam().config, {.key = {.seed = seed, .task = task}, .dimension = dimension},
                        exactness);
  }
  static Query round(AnySampler& sampler, const test::SparseExample& example) {
    const Query query = sampler.ask(example.x());
    if (query.asked) sampler.tell(example.x(), example.y, query);
    return query;
  }
  static bool offered(std::string_view offer) { return offers(GetParam().learner, offer); }
  static std::unique_ptr<AnySampler> trained(std::uint64_t seed = 1, Exactness exactness = Exactness::lazy) {
    auto sampler = make(seed, 0, exactness);
    for (const auto& example : stream()) round(*sampler, example);
    return sampler;
  }
  static Snapshot snapshot_of(const AnySampler& sampler) {
    Snapshot snapshot;
    sampler.save(snapshot, "");
    return snapshot;
  }
  /// The part of the snapshot that belongs to the learner.
  static Snapshot learner_of(const AnySampler& sampler) {
    Snapshot snapshot = snapshot_of(sampler);
    std::erase_if(snapshot.tensors, [](const auto& entry) { return !entry.first.starts_with("learner."); });
    return snapshot;
  }
  static const test::Stream& stream() {
    static const test::Stream examples = test::teacher_stream(31, 400, dimension, 7, 0, 0.1);
    static const test::Stream fewer(examples.begin(), examples.begin() + 120);
    // Learners that store all examples become slower with each example.
    return offered("norm") ? fewer : examples;
  }
};

}  // namespace askfew::conformance

#include "tests/fuzz/exercise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "askfew/models/model_file.h"

#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

using Index = FeatureView::Index;

// Large enough to make weights grow, small enough to run thousands of times per second.
constexpr Index max_extent = Index{1} << 9;

struct Instance {
  std::vector<Index> indices;
  std::vector<double> values;
  bool dense = false;

  [[nodiscard]] FeatureView x() const {
    return dense ? FeatureView::dense(values) : FeatureView::sparse(indices, values);
  }
};

std::vector<Instance> instances(Index dimension) {
  const Index extent = dimension == 0 ? max_extent : std::min(dimension, max_extent);
  std::vector<Instance> all{{.indices = {0}, .values = {1}},
                            {.indices = {}, .values = {}},
                            {.indices = {extent / 2}, .values = {-1}},
                            {.indices = {}, .values = {1}, .dense = true}};
  if (extent >= 2) {
    all.push_back({.indices = {0, extent - 1}, .values = {0.6, -0.8}});
    all.push_back({.indices = {}, .values = {-0.8, 0.6}, .dense = true});
  }
  if (extent >= 9) {
    all.push_back({.indices = {0, 1, 3, 4, extent - 1}, .values = {0.2, -0.4, 0.4, 0.8, 0}});
    all.push_back({.indices = {}, .values = {0.5, 0, 0, -0.5, 0, 0, 0.5, 0, -0.5}, .dense = true});
  }
  return all;
}

struct Told {
  FeatureView x;
  Label y = Label::negative;
  Query query;
};

Query ask(AnySampler& sampler, const FeatureView& x) {
  const Query query = sampler.ask(x);
  FUZZ_CHECK(query.probability >= 0 && query.probability <= 1);
  FUZZ_CHECK(query.coin >= 0 && query.coin < 1);
  FUZZ_CHECK(query.asked == (query.coin < query.probability));
  return query;
}

}  // namespace

bool exercise(AnySampler& sampler, Index dimension, int rounds) {
  const std::vector<Instance> all = instances(dimension);
  std::optional<Told> late;
  try {
    for (int round = 0; round < rounds; ++round) {
      const auto k = static_cast<std::size_t>(round);
      const FeatureView x = all[k % all.size()].x();
      const Query query = ask(sampler, x);
      if (late) sampler.tell(late->x, late->y, late->query);
      late.reset();
      if (!query.asked) continue;
      const Told told{.x = x, .y = k % 3 == 0 ? Label::positive : Label::negative, .query = query};
      if (round % 4 == 3) {
        late = told;
      } else {
        sampler.tell(told.x, told.y, told.query);
      }
    }
    return true;
  } catch (const NumericError& error) {
    FUZZ_CHECK(*error.what() != '\0');
    return false;
  }
}

void finish_texts(FeatureState& state, const FeatureOptions& options) {
  try {
    const TextFeatures features(options.text);
    TextScratch scratch(features);
    RowSorter sorter;
    for (const std::string_view text : {"one two one", "", "two three \xc3\xa9", "four five six seven"}) {
      Examples block;
      block.set_bias(options.bias);
      for (int row = 0; row < 2; ++row) {
        block.begin(1);
        features.add(text, block, scratch);
        features.finish(block, scratch);
        block.end_sparse();
      }
      state.finish(block, 0, 1);
      state.apply(block, 1, 1, sorter);
      for (std::size_t row = 0; row < 2; ++row) {
        for (const double value : block.features(row).values) FUZZ_CHECK(std::isfinite(value));
      }
    }
  } catch (const ConfigError& error) {  // neither n-grams nor character n-grams, which only text needs
    FUZZ_CHECK(*error.what() != '\0');
  }
}

std::optional<Snapshot> saved(const Model& model) {
  try {
    return snapshot_of(model);
  } catch (const ModelError& error) {  // the last update was too large for a number
    FUZZ_CHECK(*error.what() != '\0');
    return std::nullopt;
  }
}

void check_saved(const Model& model) {
  const std::optional<Snapshot> snapshot = saved(model);
  if (!snapshot) return;
  FUZZ_CHECK(decode_model(encode_model(*snapshot)) == *snapshot);
  FUZZ_CHECK(snapshot_of(model_of(*snapshot)) == *snapshot);
}

void check_usable(Model& model) {
  for (Task& task : model.tasks) exercise(*task.sampler, model.config.dimension);
  finish_texts(model.features, model.config.features);
  check_saved(model);
}

std::vector<Model> small_models() {
  struct Choice {
    const char* learner;
    const char* rule;
    Index dimension;
    std::vector<std::string> names;
    FeatureOptions features{};
  };
  const std::vector<Choice> choices{
      {"perceptron", "adaptive", 9, {}},
      {"budget:B=3", "margin:b=1", 12, {"3", "17"}},
      {"winnow-balanced", "log-threshold:next=1", 5, {}},
      {"alma", "halving:R=2", 10, {"caf\u00e9"}},
      {"reflect", "random:q=0.5", 3, {}},
      {"p-norm:p=4", "log-threshold", 9, {}},
      {"perceptron",
       "margin:b=1",
       0,
       {},
       {.text = {.stop_words = "one", .stem = "english", .dictionary = true},
        .tf_idf = true,
        .bias = 1,
        .normalize = true}},
      {"winnow", "always", 6, {}, {.text = {.dictionary = true, .max_words = 5}, .bias = -1}}};
  std::vector<Model> models;
  for (const Choice& choice : choices) {
    ModelConfig config;
    config.sampler = {.learner = parse_learner(choice.learner), .rule = parse_rule(choice.rule)};
    config.sampler.update = standard_policy(config.sampler.learner);
    config.dimension = choice.dimension;
    config.labels.names = choice.names;
    if (!choice.names.empty()) config.labels.kind = LabelPlan::Kind::one_per_label;
    config.features = choice.features;
    Model model = make_model(config);
    finish_texts(model.features, config.features);
    for (Task& task : model.tasks) FUZZ_CHECK(exercise(*task.sampler, choice.dimension, 8));
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace askfew::fuzz

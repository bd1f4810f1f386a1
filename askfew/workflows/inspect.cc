#include "askfew/workflows/inspect.h"

#include <algorithm>
#include <fmt/core.h>

namespace askfew {
namespace {

std::vector<NamedText> features_of(const Model& model) {
  const FeatureOptions& options = model.config.features;
  std::vector<NamedText> list;
  if (options == FeatureOptions{}) return list;
  for (const FeatureOption& option : feature_option_table()) {
    const std::string text = option.get(options);
    if (text == option.get(FeatureOptions{})) continue;
    const bool words = option.name == "stop-words";
    list.push_back(
        {.name = std::string(option.name),
         .text = words ? fmt::format("{} words", 1 + std::count(text.begin(), text.end(), ' ')) : text});
  }
  if (options.text.dictionary) {
    list.push_back({"words in the dictionary", fmt::format("{}", model.features.words().size())});
  }
  if (options.tf_idf) list.push_back({"documents counted", fmt::format("{}", model.features.documents())});
  return list;
}

/// The names of the labels that the model tells apart.
std::vector<std::string> labels_of(const LabelPlan& plan) {
  if (plan.kind == LabelPlan::Kind::one_of || plan.kind == LabelPlan::Kind::one_per_label) return plan.names;
  return {plan.name_of(true), plan.name_of(false)};
}

/// The heaviest features of a single task with weights.
void find_weights(const Model& model, InspectResult& result) {
  constexpr std::size_t most = 10;
  if (model.tasks.size() != 1) return;
  const auto form = model.tasks[0].sampler->linear_form();
  if (!form) return;
  const FeatureOptions& options = model.config.features;
  const bool has_words = options.text.dictionary;
  result.names_are_hashed = !has_words && model.config.input != InputKind::numbers;
  if (result.names_are_hashed) return;
  const FeatureView::Index shift = model.config.constants();
  std::vector<NamedWeight> all;
  for (std::size_t k = 0; k < form->weights.size(); ++k) {
    if (form->weights[k] == 0) continue;
    const std::size_t word = k - std::min<std::size_t>(k, shift);
    std::string name = k < shift ? "the constant" : fmt::format("feature {}", word + model.config.index_base);
    if (has_words && k >= shift && word < model.features.words().size()) {
      name = model.features.words()[static_cast<WordTable::Number>(word)];
    }
    all.push_back({std::move(name), form->weights[k]});
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &NamedWeight::weight);
  for (std::size_t k = 0; k < std::min(most, all.size()); ++k) {
    if (all[k].weight > 0) result.weights_for.push_back(all[k]);
    const NamedWeight& last = all[all.size() - 1 - k];
    if (last.weight < 0) result.weights_against.push_back(last);
  }
}

}  // namespace

InspectResult inspect(const std::string& path) {
  const Model model = load_model(path);
  InspectResult result{
      .summary = summary_of(model), .features = features_of(model), .columns = {}, .tensors = {}};
  result.input = input_of(model.config);
  result.labels = labels_of(model.config.labels);
  find_weights(model, result);
  if (model.config.schema) {
    for (const TableColumn& column : model.config.schema->columns) {
      result.columns.push_back({column.name, std::string(text_of(column.kind))});
    }
  }
  const Snapshot snapshot = snapshot_of(model);
  for (const auto& [name, tensor] : snapshot.tensors) {
    result.tensors.push_back({name, tensor.dtype, tensor.shape});
  }
  return result;
}

}  // namespace askfew

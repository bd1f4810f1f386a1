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

}  // namespace

InspectResult inspect(const std::string& path) {
  const Model model = load_model(path);
  InspectResult result{
      .summary = summary_of(model), .features = features_of(model), .columns = {}, .tensors = {}};
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

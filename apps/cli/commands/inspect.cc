#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "askfew/config/text.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/reports/report.h"

namespace askfew::cli {
namespace {

/// What is not as usual, and what was seen.
void print_features(const Model& model) {
  const FeatureOptions& options = model.config.features;
  if (options == FeatureOptions{}) return;
  std::cout << "\nfeatures\n";
  const auto print = [](std::string_view name, std::string_view text) {
    std::cout << fmt::format("  {:<40} {}\n", name, text);
  };
  for (const FeatureOption& option : feature_option_table()) {
    const std::string text = option.get(options);
    if (text == option.get(FeatureOptions{})) continue;
    if (option.name == "stop-words") {
      print(option.name, fmt::format("{} words", 1 + std::count(text.begin(), text.end(), ' ')));
    } else {
      print(option.name, text);
    }
  }
  if (options.text.dictionary)
    print("words in the dictionary", fmt::format("{}", model.features.words().size()));
  if (options.tf_idf) print("documents counted", fmt::format("{}", model.features.documents()));
}

void inspect(const std::string& path) {
  const Model model = load_model(path);
  std::cout << text_report({.model = model});
  print_features(model);
  if (model.config.schema) {
    std::cout << fmt::format("\ncolumns\n");
    for (const TableColumn& column : model.config.schema->columns) {
      std::cout << fmt::format("  {:<40} {}\n", in_quotes(column.name), text_of(column.kind));
    }
  }
  std::cout << fmt::format("\ntensors\n");
  const Snapshot snapshot = snapshot_of(model);
  for (const auto& [name, tensor] : snapshot.tensors) {
    std::string shape;
    for (const std::uint64_t n : tensor.shape) shape += fmt::format("[{}]", n);
    std::cout << fmt::format("  {:<40} {}{}\n", name, tensor.dtype, shape);
  }
}

}  // namespace

void add_inspect(CLI::App& program) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("inspect", "Show what is in a model.");
  command->add_option("MODEL", *path, "model written by askfew run --model")->required();
  command->callback([path] { inspect(*path); });
}

}  // namespace askfew::cli

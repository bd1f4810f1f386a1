#include "askfew/workflows/inspect.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "askfew/config/printable.h"
#include "askfew/config/text.h"
#include "askfew/workflows/input_kind.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/reports/run_report.h"

namespace askfew::cli {
namespace {

void print(const InspectResult& model) {
  const auto print_row = [](std::string_view name, std::string_view text) {
    std::cout << fmt::format("  {:<40} {}\n", name, text);
  };
  std::cout << text_of(model.summary);
  std::cout << fmt::format("input      {}\n", description_of(model.input.kind));
  std::string labels;
  for (const std::string& label : model.labels) labels += (labels.empty() ? "" : ", ") + in_quotes(label);
  std::cout << fmt::format("labels     {}\n", labels);
  const auto print_weights = [&](std::string_view title, const std::vector<NamedWeight>& weights) {
    if (weights.empty()) return;
    std::cout << fmt::format("\nheaviest {} {}\n", title, in_quotes(model.labels[0]));
    for (const NamedWeight& feature : weights)
      print_row(printable(feature.name), fmt::format("{:+.4g}", feature.weight));
  };
  print_weights("for", model.weights_for);
  print_weights("against", model.weights_against);
  if (model.names_are_hashed)
    std::cout << "words      are hashed; train with --dictionary to see the heaviest words\n";
  if (!model.features.empty()) std::cout << "\nfeatures\n";
  for (const NamedText& feature : model.features) print_row(feature.name, feature.text);
  if (!model.columns.empty()) std::cout << "\ncolumns\n";
  for (const NamedText& column : model.columns) print_row(in_quotes(column.name), column.text);
  std::cout << "\ntensors\n";
  for (const TensorSummary& tensor : model.tensors) {
    std::string shape;
    for (const std::uint64_t n : tensor.shape) shape += fmt::format("[{}]", n);
    print_row(tensor.name, tensor.dtype + shape);
  }
}

}  // namespace

void add_inspect(Command& program) {
  auto path = std::make_shared<std::string>();
  Command* command = program.add_subcommand("inspect", "Show what is in a model.");
  command->add_option("MODEL", *path, "model written by askfew run, label, stream or replay")->required();
  command->callback([path] { print(inspect(*path)); });
}

}  // namespace askfew::cli

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "askfew/core/atomic_file.h"

#include "apps/cli/commands.h"
#include "apps/cli/options.h"

namespace askfew::cli {
namespace {

struct PredictCommand {
  std::string model_path;
  DataOptions data;
  std::string output = "-";

  void operator()() const;
};

/// One task: the prediction and the margin. Several: the labels predicted, most certain first.
std::string line_of(const std::vector<Task>& tasks, const std::vector<double>& margins,
                    LabelPlan::Kind kind) {
  if (kind != LabelPlan::Kind::one_a_label) {
    return fmt::format("{:+d}\t{:.17g}\n", static_cast<int>(sgn(margins[0])), margins[0]);
  }
  std::vector<std::size_t> positive;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (sgn(margins[k]) == Label::positive) positive.push_back(k);
  }
  std::stable_sort(positive.begin(), positive.end(),
                   [&](std::size_t a, std::size_t b) { return margins[a] > margins[b]; });
  std::string names;
  std::string values;
  for (const std::size_t k : positive) {
    names += (names.empty() ? "" : ",") + tasks[k].name;
    values += fmt::format("{}{:.17g}", values.empty() ? "" : ",", margins[k]);
  }
  return names + "\t" + values + "\n";
}

void PredictCommand::operator()() const {
  const Model model = load_model(model_path);
  const auto stream = data.open(model.config);
  AtomicFile out(output);
  Examples block;
  std::vector<double> margins(model.tasks.size());
  bool any = false;
  while (true) {
    block.clear();
    const auto more = stream->read(block);
    if (!more) throw DataError(data.path, more.error());
    if (!*more) break;
    any = true;
    if (model.config.normalize) block.normalize_last();
    for (std::size_t k = 0; k < margins.size(); ++k) {
      margins[k] = model.tasks[k].sampler->margin(block.x(0));
      if (std::isfinite(margins[k])) continue;
      throw DataError(data.path, {.line = block.line(0), .column = 1, .why = "the margin is not finite"});
    }
    out.stream() << line_of(model.tasks, margins, model.config.labels.kind);
  }
  if (!any) throw DataError(data.path, {.why = "no example in it"});
  out.commit();
}

}  // namespace

void add_predict(CLI::App& program) {
  auto predict = std::make_shared<PredictCommand>();
  CLI::App* command = program.add_subcommand(
      "predict",
      "Predict with a model: a line an instance, prediction and margin; the data's labels are not used.");
  command->add_option("MODEL", predict->model_path, "model written by askfew run --model")
      ->required()
      ->check(a_name);
  predict->data.add_to(*command);
  command->add_option("-o,--output", predict->output, "write here instead of standard output")->check(a_name);
  command->callback([predict] { (*predict)(); });
}

}  // namespace askfew::cli

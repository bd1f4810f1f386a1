#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <unistd.h>

#include "askfew/core/atomic_file.h"

#include "apps/cli/commands.h"
#include "apps/cli/options.h"

namespace askfew::cli {
namespace {

/// As many as a run reads ahead.
constexpr std::size_t most_rows = 512;

struct PredictCommand {
  std::string model_path;
  DataOptions data;
  std::string output = "-";

  void operator()() const;

 private:
  [[nodiscard]] std::size_t rows_at_once() const;
};

/// One task: the prediction and the margin. Several: the labels predicted, most certain first.
std::string line_of(const std::vector<Task>& tasks, std::span<const double> margins, LabelPlan::Kind kind) {
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

/// The margins of every task on the instances of a block, instance by instance.
std::vector<double> margins_of(const std::vector<Task>& tasks, const Examples& block) {
  std::vector<FeatureView> instances;
  for (std::size_t row = 0; row < block.size(); ++row) instances.push_back(block.x(row));
  std::vector<double> margins(block.size() * tasks.size());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    tasks[k].sampler->read_ahead(instances);
    for (std::size_t row = 0; row < block.size(); ++row) {
      margins[row * tasks.size() + k] = tasks[k].sampler->margin(instances[row]);
    }
    tasks[k].sampler->read_ahead({});
  }
  return margins;
}

/// Who watches a terminal is answered line by line.
std::size_t PredictCommand::rows_at_once() const {
  return output == "-" && isatty(STDOUT_FILENO) != 0 ? 1 : most_rows;
}

void PredictCommand::operator()() const {
  const Model model = load_model(model_path);
  const auto stream = data.open(model.config);
  AtomicFile out(output);
  Examples block;
  bool any = false;
  tl::expected<bool, ParseError> more = true;
  while (more && *more) {
    block.clear();
    while (block.size() < rows_at_once() && (more = stream->read(block)) && *more) {
      if (model.config.normalize) block.normalize(block.size() - 1);
    }
    any |= block.size() > 0;
    const std::vector<double> margins = margins_of(model.tasks, block);
    for (std::size_t row = 0; row < block.size(); ++row) {
      const auto of_row = std::span(margins).subspan(row * model.tasks.size(), model.tasks.size());
      if (!std::all_of(of_row.begin(), of_row.end(), [](double margin) { return std::isfinite(margin); })) {
        throw DataError(data.path, {.line = block.line(row), .column = 1, .why = "the margin is not finite"});
      }
      out.stream() << line_of(model.tasks, of_row, model.config.labels.kind);
    }
  }
  if (!more) throw DataError(data.path, more.error());
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

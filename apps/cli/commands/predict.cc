#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <span>
#include <string>

#include "askfew/config/text.h"
#include "askfew/system/atomic_file.h"
#include "askfew/system/file_places.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/options.h"

namespace askfew::cli {
namespace {

/// As many as a run learns before it looks up.
constexpr std::size_t max_rows = 512;

struct PredictCommand {
  std::string model_path;
  DataOptions data;
  std::string output = "-";

  int operator()() const;
};

/// One task: the prediction and the margin; of classes, the class and by how much it is ahead. Several tasks:
/// the labels predicted, most certain first.
void append_line(const std::vector<Task>& tasks, std::span<const double> margins, LabelPlan::Kind kind,
                 std::string& out) {
  if (kind == LabelPlan::Kind::one_of) {
    const TopTwo top = top_two(margins);
    (out += tasks[top.first].name) += '\t';
    append_exact(top.margin, out);
    out += '\n';
    return;
  }
  if (kind != LabelPlan::Kind::one_a_label) {
    out += sgn(margins[0]) == Label::positive ? "+1\t" : "-1\t";
    append_exact(margins[0], out);
    out += '\n';
    return;
  }
  std::vector<std::size_t> positive;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (sgn(margins[k]) == Label::positive) positive.push_back(k);
  }
  std::stable_sort(positive.begin(), positive.end(),
                   [&](std::size_t a, std::size_t b) { return margins[a] > margins[b]; });
  for (const std::size_t k : positive) (out += tasks[k].name) += k == positive.back() ? "" : ",";
  out += '\t';
  for (const std::size_t k : positive) {
    append_exact(margins[k], out);
    out += k == positive.back() ? "" : ",";
  }
  out += '\n';
}

/// Writes the predictions of a block.
void predict_block(Model& model, const Examples& block, const Stream& stream, std::ostream& out) {
  std::vector<FeatureView> instances;
  std::string lines;
  for (std::size_t first = 0; first < block.size(); first += max_rows) {
    instances.clear();
    lines.clear();
    const std::size_t past = std::min(block.size(), first + max_rows);
    for (std::size_t row = first; row < past; ++row) instances.push_back(block.x(row));
    const std::vector<double> margins = margins_of(model.tasks, instances);
    for (std::size_t row = first; row < past; ++row) {
      const auto of_row = std::span(margins).subspan((row - first) * model.tasks.size(), model.tasks.size());
      if (!std::all_of(of_row.begin(), of_row.end(), [](double margin) { return std::isfinite(margin); })) {
        out << lines;
        throw DataError(
            {.line = block.line(row), .column = 1, .why = "the margin is not finite", .file = stream.name()});
      }
      append_line(model.tasks, of_row, model.config.labels.kind, lines);
    }
    out << lines;
  }
}

int PredictCommand::operator()() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  std::vector<FilePlace> inputs = data.inputs();
  inputs.push_back({.role = "MODEL", .path = model_path});
  check_apart(inputs, std::vector<FilePlace>{{"--output", output}});
  Model model = load_model(model_path);
  const auto skipped = std::make_shared<Skipped>();
  const auto stream = data.open(model.config, skipped, &interrupted);
  AtomicFile out(output, &std::cout, &interrupted);
  Examples block;
  RowSorter sorter;
  bool any = false;
  tl::expected<bool, ParseError> more = stream->next(block);
  for (; more && *more && out.stream(); more = stream->next(block)) {
    any = true;
    model.features.apply(block, 0, block.size(), sorter);
    predict_block(model, block, *stream, out.stream());
    out.stream().flush();  // who waits at the other end of a pipe has what there is
  }
  std::cerr << text_of(*skipped);
  if (!more) throw DataError(more.error());
  if (interrupted) return interrupted_exit_code();
  if (!any) throw DataError({.why = "no example in it", .file = data.name()});
  out.commit();
  return ok;
}

}  // namespace

void add_predict(CLI::App& program, Ending& ending) {
  auto predict = std::make_shared<PredictCommand>();
  CLI::App* command = program.add_subcommand(
      "predict",
      "Predict with a model: a line an instance, prediction and margin; the data's labels are not used.");
  command->add_option("MODEL", predict->model_path, "model written by askfew run --model")
      ->required()
      ->check(a_name);
  predict->data.add_to(*command);
  predict->data.add_cache_to(*command);
  predict->data.needs_labels = false;
  command->add_option("-o,--output", predict->output, "write here instead of standard output")->check(a_name);
  command->callback([predict, &ending] { ending.code = (*predict)(); });
}

}  // namespace askfew::cli

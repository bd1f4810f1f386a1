#include "askfew/workflows/predict.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "askfew/models/probabilities.h"
#include "askfew/workflows/input_data.h"

namespace askfew {
namespace {

/// The same number of rows as in a batch of a run.
constexpr std::size_t max_rows = 512;

void fill(Prediction& prediction, std::span<const double> margins, std::span<const Task> tasks,
          LabelPlan::Kind kind, const Probabilities& probabilities) {
  const auto is_positive = [&](std::size_t k) {
    return sgn(margins[k] - tasks[k].sampler->cut()) == Label::positive;
  };
  prediction.labels.clear();
  prediction.margins.clear();
  prediction.probabilities.clear();
  if (kind == LabelPlan::Kind::one_of) {
    const TopTwo top = top_two(margins);
    prediction.labels.push_back(top.first);
    prediction.margins.push_back(top.margin);
    prediction.probabilities.push_back(probabilities.at(0, top.margin));
    return;
  }
  if (kind != LabelPlan::Kind::one_per_label) {
    prediction.labels.push_back(is_positive(0) ? 1 : 0);
    prediction.margins.push_back(margins[0]);
    std::optional<double> probability = probabilities.at(0, margins[0]);
    if (probability && !is_positive(0)) probability = 1 - *probability;
    prediction.probabilities.push_back(probability);
    return;
  }
  for (std::size_t k = 0; k < margins.size(); ++k) {
    if (is_positive(k)) prediction.labels.push_back(k);
  }
  std::stable_sort(prediction.labels.begin(), prediction.labels.end(),
                   [&](std::size_t a, std::size_t b) { return margins[a] > margins[b]; });
  for (const std::size_t k : prediction.labels) {
    prediction.margins.push_back(margins[k]);
    prediction.probabilities.push_back(probabilities.at(k, margins[k]));
  }
}

void predict_block(Model& model, const Probabilities& probabilities, const Examples& block,
                   const Stream& stream, const PredictHooks& hooks, std::uint64_t before) {
  std::vector<FeatureView> instances;
  Prediction prediction;
  prediction.number = before;
  const std::size_t tasks = model.tasks.size();
  for (std::size_t first = 0; first < block.size(); first += max_rows) {
    instances.clear();
    const std::size_t past = std::min(block.size(), first + max_rows);
    for (std::size_t row = first; row < past; ++row) instances.push_back(block.x(row));
    const std::vector<double> margins = margins_of(model.tasks, instances);
    for (std::size_t row = first; row < past; ++row) {
      const auto of_row = std::span(margins).subspan((row - first) * tasks, tasks);
      if (!std::all_of(of_row.begin(), of_row.end(), [](double margin) { return std::isfinite(margin); })) {
        throw DataError(
            {.line = block.line(row), .column = 1, .why = "the margin is not finite", .file = stream.name()});
      }
      fill(prediction, of_row, model.tasks, model.config.labels.kind, probabilities);
      prediction.id = block.id(row);
      ++prediction.number;
      if (hooks.predicted) hooks.predicted(model, prediction);
    }
  }
}

}  // namespace

PredictResult predict(const PredictOptions& options, const PredictHooks& hooks) {
  InputData data(options.data, hooks);
  if (hooks.predicted) data.watch_ids();
  Model model = load_model(options.model);
  const Probabilities probabilities(model);
  const auto stream = data.open(model.config, InputData::Labels::not_needed, options.model);
  Examples block;
  RowSorter sorter;
  PredictResult result;
  tl::expected<bool, ParseError> more = stream->next(block);
  for (; more && *more; more = stream->next(block)) {
    model.features.apply(block, 0, block.size(), sorter);
    predict_block(model, probabilities, block, *stream, hooks, result.instances);
    result.instances += block.size();
    if (hooks.caught_up && !hooks.caught_up()) break;
  }
  data.tell_skipped();
  if (!more) throw DataError(more.error());
  result.skipped = data.skipped().count;
  result.stopped = hooks.stopped();
  if (result.instances == 0 && !result.stopped) throw data.no_example();
  result.notes = data.check(*stream);
  result.no_probabilities = probabilities.missing();
  return result;
}

}  // namespace askfew

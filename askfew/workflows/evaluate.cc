#include "askfew/workflows/evaluate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "askfew/json/json_text.h"
#include "askfew/math/elementary.h"
#include "askfew/math/logistic.h"
#include "askfew/models/model.h"
#include "askfew/models/probabilities.h"
#include "askfew/workflows/input_data.h"

namespace askfew {
namespace {

using nlohmann::json;

/// F rises with the share of true positives among all examples that are positive or predicted so.
Measured f_of(const Confusion& confusion) {
  const std::uint64_t all = confusion.true_positives + confusion.mistakes();
  const auto f = [](double share) { return 2 * share / (1 + share); };
  const Measured share = share_of(confusion.true_positives, all);
  return {.value = f(share.value), .low = f(share.low), .high = f(share.high)};
}

TaskQuality quality_of(std::string name, const Confusion& confusion) {
  return {
      .name = std::move(name),
      .confusion = confusion,
      .accuracy = share_of(confusion.true_positives + confusion.true_negatives, confusion.rounds()),
      .precision = share_of(confusion.true_positives, confusion.true_positives + confusion.false_positives),
      .recall = share_of(confusion.true_positives, confusion.positives()),
      .f1 = f_of(confusion)};
}

struct Scored {
  double margin = 0;
  bool is_positive = false;
};

/// The area under a curve of precision and recall, with the interval of its logit (Boyd, Eng and Page 2013).
Measured area_of(double area, double positives) {
  constexpr double z95 = 1.959963984540054;
  if (!(area > 0 && area < 1)) return {.value = area, .low = area, .high = area};
  const double logit = math::log(area / (1 - area));
  const double half = z95 / std::sqrt(positives * area * (1 - area));
  return {.value = area, .low = math::sigmoid(logit - half), .high = math::sigmoid(logit + half)};
}

/// Fills the curve from the scores of a single task.
void draw_curve(std::vector<Scored> scores, EvaluateResult& result) {
  std::stable_sort(scores.begin(), scores.end(),
                   [](const Scored& a, const Scored& b) { return a.margin > b.margin; });
  const auto all = static_cast<std::uint64_t>(std::ranges::count(scores, true, &Scored::is_positive));
  const auto positives = static_cast<double>(all);
  if (all == 0) return;
  constexpr double steps = 20;
  std::uint64_t found = 0;
  double next = 1;
  double area = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    found += scores[k].is_positive ? 1 : 0;
    const Measured precision = share_of(found, k + 1);
    if (scores[k].is_positive) area += precision.value / positives;
    const auto so_far = static_cast<double>(found);
    if (so_far < next * positives / steps) continue;
    result.curve.push_back(
        {.threshold = scores[k].margin, .precision = precision, .recall = share_of(found, all)});
    next = std::floor(steps * so_far / positives) + 1;
  }
  result.average_precision = area_of(area, positives);
}

json json_of(const Measured& figure) {
  return {{"value", figure.value}, {"low", figure.low}, {"high", figure.high}};
}

json json_of(const Reliability& reliability) {
  json bins = json::array();
  for (const ReliabilityBin& bin : reliability.bins) {
    bins.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"count", bin.count},
                    {"predicted", bin.predicted},
                    {"observed", json_of(bin.observed)}});
  }
  return {{"brier", json_of(reliability.brier)},
          {"log_loss", json_of(reliability.log_loss)},
          {"calibration_error", reliability.calibration_error},
          {"bins", bins}};
}

}  // namespace

EvaluateResult evaluate(const EvaluateOptions& options, const EvaluateHooks& hooks) {
  constexpr std::size_t max_rows = 512;
  InputData data(options.data, hooks);
  Model model = load_model(options.model);
  const Probabilities probabilities(model);
  ReliabilityCounter reliability;
  const auto stream = data.open(model.config, InputData::Labels::needed, options.model);
  const LabelPlan& plan = model.config.labels;
  const Labelling labelling = plan.labelling(*stream);
  const std::size_t tasks = model.tasks.size();
  const bool classes = model.has_classes();
  std::vector<Confusion> confusions(tasks);
  std::vector<Scored> scores;
  EvaluateResult result{.multiclass = classes};
  if (classes) result.class_counts.assign(tasks, std::vector<std::uint64_t>(tasks));
  std::uint64_t right = 0;
  std::vector<Label> labels(tasks);
  std::vector<FeatureView> instances;
  Examples block;
  RowSorter sorter;
  auto more = stream->next(block);
  for (; more && *more && !hooks.stopped(); more = stream->next(block)) {
    model.features.apply(block, 0, block.size(), sorter);
    for (std::size_t first = 0; first < block.size(); first += max_rows) {
      const std::size_t past = std::min(block.size(), first + max_rows);
      instances.clear();
      for (std::size_t row = first; row < past; ++row) instances.push_back(block.x(row));
      const std::vector<double> margins = margins_of(model.tasks, instances);
      for (std::size_t row = first; row < past; ++row) {
        const auto refuse = [&](std::string why) {
          return ParseError{
              .line = block.line(row), .column = 1, .why = std::move(why), .file = stream->name()};
        };
        std::string why;
        if (const auto* const stranger = labelling.stranger(block.labels(row))) {
          why = labelling.refusal_of(stream->label_name(*stranger));
        } else if (auto assigned = labelling.assign(block.labels(row), labels); !assigned) {
          why = assigned.error();
        }
        if (!why.empty()) {
          if (stream->skip(refuse(why))) continue;
          throw DataError(refuse(std::move(why)));
        }
        const auto of_row = std::span<const double>(margins).subspan((row - first) * tasks, tasks);
        ++result.examples;
        if (classes) {
          const auto [predicted, ahead] = top_two(of_row);
          const auto truth =
              static_cast<std::size_t>(std::ranges::find(labels, Label::positive) - labels.begin());
          ++result.class_counts[truth][predicted];
          right += truth == predicted ? 1 : 0;
          if (const auto p = probabilities.at(0, ahead)) reliability.add(*p, truth == predicted);
          for (std::size_t k = 0; k < tasks; ++k) {
            confusions[k].add(k == predicted ? Label::positive : Label::negative, labels[k]);
          }
          continue;
        }
        for (std::size_t k = 0; k < tasks; ++k) {
          confusions[k].add(sgn(of_row[k] - model.tasks[k].sampler->cut()), labels[k]);
          if (const auto p = probabilities.at(k, of_row[k]))
            reliability.add(*p, labels[k] == Label::positive);
        }
        if (tasks == 1) scores.push_back({of_row[0], labels[0] == Label::positive});
      }
    }
    if (hooks.progress) hooks.progress(result.examples);
  }
  data.tell_skipped();
  if (!more) throw DataError(more.error());
  result.skipped = data.skipped().count;
  result.stopped = hooks.stopped();
  if (result.examples == 0 && !result.stopped) throw data.no_example();
  result.notes = data.check(*stream, !result.stopped);
  if (!probabilities.missing().empty()) result.notes.push_back(probabilities.missing());
  if (Reliability found = reliability.result(); found.count > 0) result.reliability = std::move(found);
  for (std::size_t k = 0; k < tasks; ++k) {
    result.tasks.push_back(quality_of(model.tasks[k].name, confusions[k]));
  }
  if (classes) {
    result.accuracy = share_of(right, result.examples);
  } else if (tasks == 1) {
    result.accuracy = result.tasks[0].accuracy;
    result.positive = plan.name_of(true);
    result.negative = plan.name_of(false);
    draw_curve(std::move(scores), result);
  }
  return result;
}

std::string json_of(const EvaluateResult& result) {
  json tasks = json::array();
  for (const TaskQuality& task : result.tasks) {
    tasks.push_back({{"task", task.name},
                     {"true_positives", task.confusion.true_positives},
                     {"false_positives", task.confusion.false_positives},
                     {"true_negatives", task.confusion.true_negatives},
                     {"false_negatives", task.confusion.false_negatives},
                     {"accuracy", json_of(task.accuracy)},
                     {"precision", json_of(task.precision)},
                     {"recall", json_of(task.recall)},
                     {"f1", json_of(task.f1)}});
  }
  json out = {{"examples", result.examples},
              {"skipped", result.skipped},
              {"notes", result.notes},
              {"multiclass", result.multiclass},
              {"tasks", tasks}};
  if (result.multiclass) out["class_counts"] = result.class_counts;
  if (result.multiclass || result.tasks.size() == 1) out["accuracy"] = json_of(result.accuracy);
  if (!result.curve.empty()) {
    out["average_precision"] = json_of(result.average_precision);
    for (const OperatingPoint& point : result.curve) {
      out["curve"].push_back({{"threshold", point.threshold},
                              {"precision", json_of(point.precision)},
                              {"recall", json_of(point.recall)}});
    }
  }
  if (result.reliability) out["reliability"] = json_of(*result.reliability);
  return json_text(out, 2);
}

}  // namespace askfew

#include "askfew/trials/observed_runs.h"

#include <algorithm>
#include <cmath>

#include "askfew/linalg/sparse.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// y u.x of every row.
std::vector<double> margins_on(std::span<const double> u, const LabelledRows& rows) {
  std::vector<double> margins(rows.x.size());
  for (std::size_t t = 0; t < margins.size(); ++t) margins[t] = sign(rows.y[t]) * dot(u, rows.x[t]);
  return margins;
}

std::vector<double> at(const std::vector<double>& margins, std::span<const std::uint32_t> rows) {
  std::vector<double> some;
  some.reserve(rows.size());
  for (const std::uint32_t row : rows) some.push_back(margins[row]);
  return some;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void set_means(ObservedRuns& runs) {
  runs.log_determinant = mean_of(runs.log_determinants);
  runs.information = mean_of(runs.informations);
}

}  // namespace

ObservedRuns observe_runs(const SamplerConfig& config, Setting setting, const LabelledRows& rows,
                          std::uint64_t runs, const std::function<bool(std::uint64_t)>& continues) {
  ObservedRuns observed;
  for (std::uint64_t k = 0; k < runs; ++k, ++setting.key.seed) {
    Task task = task_of(make_sampler(config, setting, Exactness::exact));
    double log_determinant = 0;
    double information = 0;
    run_rows(
        task, rows.size(), [&](std::size_t t) { return std::pair(rows.x[t], rows.y[t]); },
        [&](std::size_t t, const FeatureView& /*x*/, const Round& round) {
          if (!round.updated) return true;
          const double spread = round.query.score.spread;
          observed.updates.push_back(static_cast<std::uint32_t>(t));
          log_determinant += math::log1p(spread);
          information += spread / (1 + spread);
          return true;
        });
    observed.mistakes.push_back(static_cast<double>(task.confusion.mistakes()));
    observed.asked.push_back(static_cast<double>(task.sampler->tally().asked));
    observed.expected_asked.push_back(task.sampler->tally().expected_asked);
    observed.log_determinants.push_back(log_determinant);
    observed.informations.push_back(information);
    observed.update_ends.push_back(observed.updates.size());
    if (continues && !continues(k + 1)) break;
  }
  set_means(observed);
  return observed;
}

ObservedRuns without(const ObservedRuns& all, std::size_t first, std::size_t end) {
  ObservedRuns rest = all;
  const auto cut = [](auto& values, std::size_t from, std::size_t to) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(from),
                 values.begin() + static_cast<std::ptrdiff_t>(to));
  };
  const auto updates_before = [&](std::size_t run) { return run == 0 ? 0 : all.update_ends[run - 1]; };
  const std::size_t left_out = updates_before(end) - updates_before(first);
  cut(rest.updates, updates_before(first), updates_before(end));
  for (std::size_t run = end; run < rest.update_ends.size(); ++run) rest.update_ends[run] -= left_out;
  cut(rest.update_ends, first, end);
  for (auto* values :
       {&rest.mistakes, &rest.asked, &rest.expected_asked, &rest.log_determinants, &rest.informations}) {
    cut(*values, first, end);
  }
  set_means(rest);
  return rest;
}

StreamShape shape_of(const LabelledRows& rows, FeatureView::Index dimension) {
  StreamShape shape{.shortest = infinity, .dimension = static_cast<double>(dimension)};
  for (const FeatureView& x : rows.x) {
    const double norm = std::sqrt(x.squared_norm());
    shape.longest = std::max(shape.longest, norm);
    if (norm > 0) shape.shortest = std::min(shape.shortest, norm);
    x.for_each([&](FeatureView::Index, double value) {
      shape.largest_component = std::max(shape.largest_component, std::abs(value));
    });
  }
  return shape;
}

ComparatorOnStream::ComparatorOnStream(std::span<const double> u, const LabelledRows& rows,
                                       const ObservedRuns& runs)
    : ComparatorOnStream(u, margins_on(u, rows), runs) {}

ComparatorOnStream::ComparatorOnStream(std::span<const double> u, const std::vector<double>& margins,
                                       const ObservedRuns& runs)
    : norm(std::sqrt(FeatureView::sum_of_squares(u))),
      rounds(margins),
      updates(at(margins, runs.updates), 1 / static_cast<double>(runs.mistakes.size())) {
  for (const double weight : u) sum += std::abs(weight);
  wrong = static_cast<std::size_t>(
      std::count_if(margins.begin(), margins.end(), [](double s) { return s <= 0; }));
}

}  // namespace askfew

#include "askfew/trials/held_out.h"

#include <algorithm>

namespace askfew {
namespace {

double error_on(const Dataset& data, std::span<const std::uint32_t> rows, std::size_t task,
                const AnySampler& sampler) {
  Confusion confusion;
  for (const std::uint32_t row : rows) {
    confusion.add(sgn(sampler.margin(data.x(row)) - sampler.cut()), data.label(row, task));
  }
  return rows.empty() ? 0 : static_cast<double>(confusion.mistakes()) / static_cast<double>(rows.size());
}

}  // namespace

std::optional<std::uint64_t> HeldOutCurve::labels_to_reach(double error) const {
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.error <= error; });
  return found == points.end() ? std::nullopt : std::optional(found->labels);
}

double HeldOutCurve::error_after(std::uint64_t labels) const {
  const auto later =
      std::upper_bound(points.begin(), points.end(), labels,
                       [](std::uint64_t count, const HeldOutPoint& point) { return count < point.labels; });
  return std::prev(later)->error;
}

HeldOutCurve held_out_curve(const Dataset& data, std::span<const std::uint32_t> rows,
                            std::span<const std::uint32_t> held_out, const Trial& trial,
                            const HeldOutEnd& end) {
  Task task = task_of(data, trial);
  HeldOutCurve curve;
  bool reached = false;
  const auto measure = [&] {
    curve.points.push_back({curve.asked, error_on(data, held_out, trial.task, *task.sampler)});
    reached = reached || curve.points.back().error <= end.error;
  };
  const auto goes_on = [&] { return !reached || curve.asked < end.labels; };
  measure();
  if (!goes_on()) return curve;
  bool started = task.sampler->started();
  run_rows(data, rows, trial.task, task, [&](const Round& round) {
    if (!round.query.asked) return true;
    ++curve.asked;
    const bool starts = started != task.sampler->started();  // a start is not an update
    started = task.sampler->started();
    if (round.updated || starts) measure();
    return goes_on();
  });
  return curve;
}

Fold fold_of(std::span<const std::uint32_t> rows, std::size_t fold, std::size_t folds) {
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() * fold / folds);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() * (fold + 1) / folds);
  Fold parts{.rows = {rows.begin(), begin}, .held_out = {begin, end}};
  parts.rows.insert(parts.rows.end(), end, rows.end());
  return parts;
}

}  // namespace askfew

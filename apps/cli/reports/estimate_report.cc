#include "apps/cli/reports/estimate_report.h"

#include <fmt/core.h>

#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

std::string share_text(const Estimated& figure) {
  return fmt::format("{:.2f}% [{:.2f}%, {:.2f}%]", 100 * figure.value, 100 * figure.interval.low,
                     100 * figure.interval.high);
}

std::string number_text(const Estimated& figure) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", figure.value, figure.interval.low, figure.interval.high);
}

}  // namespace

std::string text_of(const Change& change) {
  const char* what = change.kind == ChangeKind::error_up     ? "more mistakes"
                     : change.kind == ChangeKind::error_down ? "fewer mistakes"
                                                             : "other margins";
  return fmt::format("{} since round {} (noticed in round {})", what, grouped(change.since),
                     grouped(change.round));
}

std::string uncovered_text(std::uint64_t uncovered) {
  if (uncovered == 0) return "";
  return fmt::format("uncovered  {} rounds: the budget had no label for an audit; they widen the intervals\n",
                     grouped(uncovered));
}

std::string advice_text(const EstimateSummary& estimate) {
  const std::string head =
      fmt::format("next {} labels", grouped(static_cast<std::uint64_t>(estimate.labels)));
  const std::optional<StopAdvice>& advice = estimate.advice;
  if (!advice) return head + ": too few labels so far to say what they would bring\n";
  const std::string gain = fmt::format("the error falls by {:.2f}% [{:.2f}%, {:.2f}%]", 100 * advice->gain,
                                       100 * advice->interval.low, 100 * advice->interval.high);
  return fmt::format("{}: {}{}\n", head, gain, advice->can_tell() ? "" : ", maybe not at all");
}

std::string estimate_text(const TaskSummary& task) {
  const Quality& whole = task.estimate->whole;
  const Quality& recent = task.estimate->recent;
  std::string text = fmt::format("{:<11} {:<26} {:<8} last {} rounds\n", "estimated", "whole run", "truth",
                                 grouped(recent.rounds));
  const auto row = [&](std::string_view name, const Estimated& all, const std::string& truth,
                       const Estimated& last, const auto& show) {
    text += fmt::format("  {:<9} {:<26} {:<8} {}\n", name, show(all), truth, show(last));
  };
  const auto number = [](double truth) { return fmt::format("{:.4f}", truth); };
  row("error", whole.error, fmt::format("{:.2f}%", 100 * (1 - task.totals.accuracy)), recent.error,
      share_text);
  row("F", whole.f1, number(task.totals.f1), recent.f1, number_text);
  row("precision", whole.precision, number(task.totals.precision), recent.precision, number_text);
  row("recall", whole.recall, number(task.totals.recall), recent.recall, number_text);
  text += uncovered_text(whole.uncovered);
  for (const Change& change : task.estimate->changes) text += "change     " + text_of(change) + "\n";
  return text + advice_text(*task.estimate);
}

std::string estimated_f(const TaskSummary& task) {
  return number_text(task.estimate->whole.f1);
}

}  // namespace askfew::cli

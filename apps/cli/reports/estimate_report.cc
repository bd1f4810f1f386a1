#include "apps/cli/reports/estimate_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/reports/totals.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

std::string share_text(const Estimated& figure) {
  return fmt::format("{:.2f}% [{:.2f}%, {:.2f}%]", 100 * figure.value, 100 * figure.interval.low,
                     100 * figure.interval.high);
}

std::string number_text(const Estimated& figure) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", figure.value, figure.interval.low, figure.interval.high);
}

json json_of(const Estimated& figure) {
  return {{"value", figure.value}, {"low", figure.interval.low}, {"high", figure.interval.high}};
}

json json_of(const Quality& quality) {
  return {{"rounds", quality.rounds},
          {"error", json_of(quality.error)},
          {"accuracy", json_of(quality.accuracy)},
          {"precision", json_of(quality.precision)},
          {"recall", json_of(quality.recall)},
          {"f1", json_of(quality.f1)}};
}

}  // namespace

std::string text_of(const Change& change) {
  const char* what = change.kind == ChangeKind::error_up     ? "more mistakes"
                     : change.kind == ChangeKind::error_down ? "fewer mistakes"
                                                             : "other margins";
  return fmt::format("{} since round {} (noticed in round {})", what, grouped(change.since),
                     grouped(change.round));
}

std::string advice_text(const LearningCurve& curve) {
  const std::string head = fmt::format("next {} labels", grouped(static_cast<std::uint64_t>(curve.labels())));
  const auto advice = curve.advice(curve.labels());
  if (!advice) return head + ": too few labels so far to say what they would bring\n";
  const std::string gain = fmt::format("the error falls by {:.2f}% [{:.2f}%, {:.2f}%]", 100 * advice->gain,
                                       100 * advice->interval.low, 100 * advice->interval.high);
  return fmt::format("{}: {}{}\n", head, gain, advice->can_tell() ? "" : ", maybe not at all");
}

std::string estimate_text(const Task& task) {
  const Quality whole = task.watch->estimate().whole();
  const Quality recent = task.watch->estimate().recent();
  std::string text = fmt::format("{:<11} {:<26} {:<8} last {} rounds\n", "estimated", "whole run", "truth",
                                 grouped(recent.rounds));
  const auto row = [&](std::string_view name, const Estimated& all, const std::string& truth,
                       const Estimated& last, const auto& show) {
    text += fmt::format("  {:<9} {:<26} {:<8} {}\n", name, show(all), truth, show(last));
  };
  row("error", whole.error, fmt::format("{:.2f}%", 100 * (1 - task.confusion.accuracy())), recent.error,
      share_text);
  row("F", whole.f1, fmt::format("{:.4f}", task.confusion.f1()), recent.f1, number_text);
  row("precision", whole.precision, fmt::format("{:.4f}", task.confusion.precision()), recent.precision,
      number_text);
  row("recall", whole.recall, fmt::format("{:.4f}", task.confusion.recall()), recent.recall, number_text);
  for (const Change& change : task.watch->changes()) text += "change     " + text_of(change) + "\n";
  return text + advice_text(task.watch->curve());
}

json estimate_json(const Task& task) {
  const QualityMonitor& watch = *task.watch;
  json changes = json::array();
  for (const Change& change : watch.changes()) {
    changes.push_back({{"kind", text_of(change.kind)}, {"round", change.round}, {"since", change.since}});
  }
  json out = {{"whole", json_of(watch.estimate().whole())},
              {"recent", json_of(watch.estimate().recent())},
              {"changes", changes},
              {"next_labels", nullptr}};
  if (const auto advice = watch.curve().advice(watch.curve().labels())) {
    out["next_labels"] = {{"labels", watch.curve().labels()},
                          {"gain", advice->gain},
                          {"low", advice->interval.low},
                          {"high", advice->interval.high}};
  }
  return out;
}

std::string estimated_f(const Task& task) {
  return number_text(task.watch->estimate().whole().f1);
}

ChangeLines::ChangeLines(const std::vector<Task>& tasks) : tasks_(tasks), told_(tasks.size()) {
  static_cast<void>(next());
}

std::string ChangeLines::next() {
  std::string lines;
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    if (!tasks_[k].watch) continue;
    for (const Change& change : tasks_[k].watch->changes_after(told_[k])) {
      lines +=
          fmt::format("change{}: {}\n", tasks_.size() > 1 ? " in " + tasks_[k].name : "", text_of(change));
    }
    told_[k] = tasks_[k].watch->estimate().rounds();
  }
  return lines;
}

}  // namespace askfew::cli

#include "apps/cli/reports/final_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace askfew::cli {
namespace {

std::string what_it_is(const FinalReport& report, const FinalClassifier& one) {
  if (report.choice == FinalChoice::average) {
    return fmt::format("average of the run's hypotheses, mean hinge loss {:.4f} at scale {:g}",
                       one.average.mean_loss, one.average.scale);
  }
  return fmt::format("{}: the hypothesis of round {}, {} errors in the {} rounds after it",
                     text_of(report.choice), one.tested.round, one.tested.errors, one.tested.tests);
}

}  // namespace

std::string text_of(const FinalReport& report, const std::vector<Task>& tasks) {
  std::string text;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const FinalClassifier& one = report.tasks[k];
    const std::string name = tasks.size() == 1 ? "" : tasks[k].name + ", ";
    text += fmt::format("final      {}{}; risk at most {:.4f} with probability {:g}\n", name,
                        what_it_is(report, one), one.risk_bound, 1 - report.delta);
  }
  return text;
}

nlohmann::json json_of(const FinalReport& report, std::size_t task) {
  const FinalClassifier& one = report.tasks[task];
  nlohmann::json out = {
      {"choice", text_of(report.choice)}, {"delta", report.delta}, {"risk_bound", one.risk_bound}};
  if (report.choice == FinalChoice::average) {
    out["scale"] = one.average.scale;
    out["mean_hinge_loss"] = one.average.mean_loss;
  } else {
    out["round"] = one.tested.round;
    out["tests"] = one.tested.tests;
    out["errors"] = one.tested.errors;
  }
  return out;
}

}  // namespace askfew::cli

#include "apps/cli/options/final_option.h"

#include <map>
#include <string>

namespace askfew::cli {

FinalMonitor::FinalMonitor(FinalChoice choice, double delta, Model& model, const SharedLimit& memory)
    : choice_(choice), delta_(delta) {
  if (model.decisions != nullptr)
    throw ConfigError("--final is for tasks of two labels, not for --multiclass");
  for (Task& task : model.tasks) {
    tasks_.emplace_back(choice, model.config.sampler.learner, *task.sampler, memory);
  }
}

FinalReport FinalMonitor::finish() {
  FinalReport report{.choice = choice_, .delta = delta_, .tasks = {}};
  for (OnlineToBatch& task : tasks_) report.tasks.push_back(task.finish(delta_));
  return report;
}

void FinalOption::add_to(CLI::App& command) {
  const std::map<std::string, FinalChoice> choices{
      {"last", FinalChoice::last}, {"average", FinalChoice::average}, {"penalized", FinalChoice::penalized}};
  CLI::Option* final_option =
      command
          .add_option_function<std::string>(
              "--final", [this, choices](const std::string& name) { choice = choices.at(name); },
              "which of the run's classifiers is the model, with a bound on its risk: last, average, "
              "penalized")
          ->check(CLI::IsMember({"last", "average", "penalized"}))
          ->type_name("CHOICE");
  command.add_option("--delta", delta, "of --final: the bound holds with probability 1 - delta")
      ->check(CLI::Range(1e-12, 0.999).description(""))
      ->needs(final_option)
      ->capture_default_str();
}

}  // namespace askfew::cli

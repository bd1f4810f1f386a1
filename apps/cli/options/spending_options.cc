#include "apps/cli/options/spending_options.h"

#include "askfew/core/errors.h"
#include "askfew/core/tally.h"

#include "apps/cli/options/experiment_options.h"
#include "apps/cli/options/options.h"

namespace askfew::cli {

std::vector<CLI::Option*> SpendingOptions::add_to(CLI::App& command) {
  return {
      command
          .add_option(
              "--budget", budget,
              "labels that each task may ask for: 500, 5% of the rounds, or 200/day (hour, week) of the "
              "stream's own time; the rule's scale is steered so that they are spent evenly")
          ->check(a_name),
      command
          .add_option(
              "--horizon", horizon,
              "rounds that the budget is for (default: those of a file; nobody knows those of a pipe)")
          ->transform(CLI::Validator(decimal, ""))
          ->check(CLI::Range(std::uint64_t{1}, max_rounds).description(""))
          ->type_name("ROUNDS"),
      command
          .add_option("--audit", audit,
                      "ask for every label at least with this probability, e.g. 0.5%, on a coin of its own: "
                      "the run then says how good it is from the labels it asked for alone")
          ->check(a_name),
  };
}

Spending SpendingOptions::spending() const {
  Spending spending;
  if (!budget.empty()) spending.budget = parse_budget(budget);
  if (horizon > 0 && !spending.budget.is_set()) throw ConfigError("--horizon is for a --budget");
  spending.budget.horizon = horizon;
  if (!audit.empty()) spending.audit = parse_share(audit);
  check(spending);
  return spending;
}

}  // namespace askfew::cli

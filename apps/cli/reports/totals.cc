#include "apps/cli/reports/totals.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace askfew::cli {
namespace {

void add(Totals& totals, const Tally& tally) {
  totals.rounds += tally.round;
  totals.asked += tally.asked;
  totals.updates += tally.updates;
  totals.spreads += tally.spreads;
  totals.expected_asked += tally.expected_asked;
  totals.expected_asked_at_least += std::max(0.0, tally.expected_asked - tally.expected_slack);
}

/// `share`: of the task in the means.
void add(Totals& totals, const Confusion& confusion, double share) {
  totals.positives += confusion.positives();
  totals.mistakes += confusion.mistakes();
  totals.accuracy += confusion.accuracy() * share;
  totals.precision += confusion.precision() * share;
  totals.recall += confusion.recall() * share;
  totals.f1 += confusion.f1() * share;
}

}  // namespace

Totals totals_of(const Model& model, std::size_t task) {
  Totals totals;
  add(totals, model.tally(task));
  add(totals, model.tasks[task].confusion, 1);
  totals.updates = model.tasks[task].sampler->tally().updates;
  return totals;
}

Totals totals_of(const Model& model) {
  Totals totals;
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    if (model.decisions == nullptr) add(totals, model.tally(k));
    add(totals, model.tasks[k].confusion, 1 / static_cast<double>(model.tasks.size()));
  }
  if (model.decisions != nullptr) {
    add(totals, model.decisions->tally());
    totals.mistakes /= 2;  // each is one of the class that was predicted and one of the class that it was
    const auto right = static_cast<double>(totals.rounds - totals.mistakes);
    totals.accuracy = totals.rounds == 0 ? 0 : right / static_cast<double>(totals.rounds);
  }
  return totals;
}

nlohmann::json json_of(const Totals& totals) {
  return {{"rounds", totals.rounds},
          {"asked", totals.asked},
          {"expected_asked", totals.expected_asked},
          {"expected_asked_at_least", totals.expected_asked_at_least},
          {"spreads", totals.spreads},
          {"mistakes", totals.mistakes},
          {"updates", totals.updates},
          {"precision", totals.precision},
          {"recall", totals.recall},
          {"f1", totals.f1},
          {"accuracy", totals.accuracy}};
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
    text += digits[k];
  }
  return text;
}

}  // namespace askfew::cli

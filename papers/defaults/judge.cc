#include "papers/defaults/judge.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

#include "askfew/math/elementary.h"

namespace askfew::defaults {
namespace {

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

std::string figure(double loss) {
  return fmt::format("{:.1f}", 100 * loss);
}

constexpr double least_loss = 0.002;  // keeps a stream without errors from counting for all of them

double log_ratio(double loss, double other) {
  return math::log((loss + least_loss) / (other + least_loss));
}

/// Cells in which a claim holds, and what was found where it does not.
class Count {
 public:
  void add(bool holds, const std::string& where, const std::string& found) {
    ++cells_;
    if (holds) {
      ++holding_;
    } else {
      others_ += fmt::format("{}{}: {}", others_.empty() ? "" : "; ", where, found);
    }
  }
  [[nodiscard]] Verdict verdict(std::string claim) const {
    return {.holds = holding_ == cells_,
            .claim = std::move(claim),
            .found = fmt::format("In {} of {} cells.{}{}", holding_, cells_,
                                 others_.empty() ? "" : " Not in: ", others_)};
  }

 private:
  std::size_t cells_ = 0;
  std::size_t holding_ = 0;
  std::string others_;
};

/// Is the loss at most 1.05 times that of the best preset, 1.15 times at 1%?
void count_near_best(const Measured& measured, const Variant& variant, double share, const Cell& own,
                     Loss loss, Count& count) {
  const Best best = best_of(measured, variant, share, loss);
  const double factor = share < 0.015 ? 1.15 : 1.05;
  count.add((own.*loss)() <= factor * best.loss, fmt::format("{} at {}", variant.title(), percent(share)),
            fmt::format("{} against {} of {}", figure((own.*loss)()), figure(best.loss), best.sampler));
}

/// Calls see(variant, share, where, cell of the default).
template <class See>
void each_cell(const Measured& measured, const std::string& sampler, const See& see) {
  for (const Variant& variant : measured.variants) {
    for (const double share : measured.shares) {
      if (const Cell* own = measured.find(variant, sampler, share))
        see(variant, share, fmt::format("{} at {}", variant.title(), percent(share)), *own);
    }
  }
}

}  // namespace

std::string Measured::key(const Variant& variant, const std::string& sampler, double share) {
  return fmt::format("{} | {} | {}", variant.title(), sampler, share);
}

const Cell* Measured::find(const Variant& variant, const std::string& sampler, double share) const {
  const auto found = cells.find(key(variant, sampler, share));
  return found == cells.end() ? nullptr : &found->second;
}

Best best_of(const Measured& measured, const Variant& variant, double share, Loss loss) {
  Best best{.sampler = {}, .loss = std::numeric_limits<double>::infinity()};
  for (std::size_t k = 2; k < measured.samplers.size(); ++k) {
    const Cell* cell = measured.find(variant, measured.samplers[k], share);
    if (cell == nullptr || (cell->*loss)() >= best.loss) continue;
    best = {.sampler = measured.samplers[k], .loss = (cell->*loss)()};
  }
  return best;
}

Verdict near_best(const Measured& measured, const std::string& sampler, Loss loss, const std::string& claim) {
  Count count;
  each_cell(measured, sampler,
            [&](const Variant& variant, double share, const std::string& /*where*/, const Cell& own) {
              count_near_best(measured, variant, share, own, loss, count);
            });
  return count.verdict(claim);
}

Verdict not_worse_than_random(const Measured& measured) {
  Count count;
  each_cell(measured, measured.samplers[0],
            [&](const Variant& variant, double share, const std::string& where, const Cell& own) {
              const Cell* random = measured.find(variant, measured.samplers[1], share);
              if (random == nullptr) return;
              count.add(own.error() <= random->error() + own.standard_error(), where,
                        fmt::format("{} against {}", figure(own.error()), figure(random->error())));
            });
  return count.verdict(
      "The error is not above that of the same learner on random labels by more than a standard error.");
}

Verdict not_worse_than_majority(const Measured& measured) {
  Count count;
  each_cell(measured, measured.samplers[0],
            [&](const Variant& /*variant*/, double /*share*/, const std::string& where, const Cell& own) {
              const double most = *std::max_element(own.above_majority.begin(), own.above_majority.end());
              count.add(most <= 2, where, fmt::format("{:.1f} standard errors", most));
            });
  return count.verdict(
      "After 50 labels no run makes more mistakes than always calling the class that was told more often, by "
      "more than two standard errors.");
}

Verdict spends_its_budget(const Measured& measured) {
  double least = 1;
  double most = 0;
  std::string where;
  for (const auto& [key, cell] : measured.cells) {
    most = std::max(most, *std::max_element(cell.spent.begin(), cell.spent.end()));
    const double low = *std::min_element(cell.spent.begin(), cell.spent.end());
    if (low >= least) continue;
    least = low;
    where = key;
  }
  return {.holds = least >= 0.97 && most <= 1,
          .claim = "Every run of every sampler ends with 97% to 100% of its budget, in whole labels.",
          .found = fmt::format("{:.1f}% ({}) to {:.1f}%", 100 * least, where, 100 * most)};
}

Verdict never_fails(const Measured& measured) {
  std::string found;
  for (const std::string& key : measured.failed) {
    if (key.find(" | " + measured.samplers[0] + " | ") != std::string::npos)
      found += fmt::format("{}{}", found.empty() ? "" : "; ", key);
  }
  return {.holds = found.empty(),
          .claim = "No run of the default ends with an error.",
          .found = found.empty() ? "None does." : found};
}

Table overview(const Measured& measured, std::string_view name) {
  Table table{.caption = fmt::format("{}: error of the default / of the best preset in hindsight / of the "
                                     "default's learner on random labels, in percent",
                                     name),
              .columns = {"set"}};
  for (const double share : measured.shares) table.columns.push_back(percent(share));
  for (const Variant& variant : measured.variants) {
    if (variant.name != name) continue;
    std::vector<std::string> row{variant.set};
    for (const double share : measured.shares) {
      const Cell* own = measured.find(variant, measured.samplers[0], share);
      const Cell* random = measured.find(variant, measured.samplers[1], share);
      row.push_back(own == nullptr || random == nullptr
                        ? "-"
                        : fmt::format("{} / {} / {}", figure(own->error()),
                                      figure(best_of(measured, variant, share, &Cell::error).loss),
                                      figure(random->error())));
    }
    table.rows.push_back(row);
  }
  return table;
}

bool is_chosen_on(const Variant& variant) {
  return variant.name == as_read || variant.name == text_with_tf_idf;
}

std::string chosen_without(const Measured& measured, const std::string& family) {
  std::vector<std::string> names{measured.samplers[0]};
  names.insert(names.end(), measured.candidates.begin(), measured.candidates.end());
  std::string chosen = names[0];
  double smallest = std::numeric_limits<double>::infinity();
  for (const std::string& name : names) {
    std::map<std::string, std::pair<double, double>> families;  // sum, cells: every family counts the same
    for (const Variant& variant : measured.variants) {
      if (!is_chosen_on(variant) || variant.family == family) continue;
      for (const double share : measured.shares) {
        const Cell* cell = measured.find(variant, name, share);
        if (cell == nullptr) continue;
        auto& [sum, cells] = families[variant.family];
        sum += log_ratio(cell->error(), best_of(measured, variant, share, &Cell::error).loss);
        cells += 1;
      }
    }
    double total = 0;
    for (const auto& [other, mean] : families) total += mean.first / mean.second;
    if (families.empty() || total >= smallest) continue;
    smallest = total;
    chosen = name;
  }
  return chosen;
}

Table left_out(const Measured& measured) {
  Table table{.caption =
                  "constants chosen on the other families of sets: error / error of the best preset in "
                  "hindsight, in percent",
              .columns = {"set", "chosen"}};
  for (const double share : measured.shares) table.columns.push_back(percent(share));
  for (const Variant& variant : measured.variants) {
    if (!is_chosen_on(variant)) continue;
    const std::string chosen = chosen_without(measured, variant.family);
    std::vector<std::string> row{variant.title(), chosen};
    for (const double share : measured.shares) {
      const Cell* cell = measured.find(variant, chosen, share);
      row.push_back(cell == nullptr
                        ? "-"
                        : fmt::format("{} / {}", figure(cell->error()),
                                      figure(best_of(measured, variant, share, &Cell::error).loss)));
    }
    table.rows.push_back(row);
  }
  return table;
}

Verdict left_out_near_best(const Measured& measured) {
  Count count;
  for (const Variant& variant : measured.variants) {
    if (!is_chosen_on(variant)) continue;
    const std::string chosen = chosen_without(measured, variant.family);
    for (const double share : measured.shares) {
      const Cell* cell = measured.find(variant, chosen, share);
      if (cell != nullptr) count_near_best(measured, variant, share, *cell, &Cell::error, count);
    }
  }
  return count.verdict("With constants chosen on the other families of sets, the same holds.");
}

Table by_variant(const Measured& measured) {
  Table table{.caption =
                  "geometric mean, over the sets, of the default's error relative to that of the best "
                  "preset in hindsight / to that of the default's learner on random labels",
              .columns = {"variant"}};
  for (const double share : measured.shares) table.columns.push_back(percent(share));
  std::vector<std::string> names;
  for (const Variant& variant : measured.variants) {
    if (std::find(names.begin(), names.end(), variant.name) == names.end()) names.push_back(variant.name);
  }
  for (const std::string& name : names) {
    std::vector<std::string> row{name};
    for (const double share : measured.shares) {
      double of_best = 0;
      double of_random = 0;
      double sets = 0;
      for (const Variant& variant : measured.variants) {
        if (variant.name != name) continue;
        const Cell* own = measured.find(variant, measured.samplers[0], share);
        const Cell* random = measured.find(variant, measured.samplers[1], share);
        if (own == nullptr || random == nullptr) continue;
        const double best = best_of(measured, variant, share, &Cell::error).loss;
        of_best += log_ratio(own->error(), best);
        of_random += log_ratio(own->error(), random->error());
        sets += 1;
      }
      row.push_back(
          sets == 0 ? "-"
                    : fmt::format("{:.2f} / {:.2f}", math::exp(of_best / sets), math::exp(of_random / sets)));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table parts(const Measured& measured, const std::vector<std::string>& names, Loss loss,
            const std::string& caption) {
  Table table{.caption = caption, .columns = {"changed"}};
  for (const double share : measured.shares) table.columns.push_back(percent(share));
  for (const std::string& changed : names) {
    std::vector<std::string> row{changed};
    for (const double share : measured.shares) {
      double sum = 0;
      double sets = 0;
      for (const Variant& variant : measured.variants) {
        const Cell* cell = measured.find(variant, changed, share);
        const Cell* own = measured.find(variant, measured.samplers[0], share);
        if (cell == nullptr || own == nullptr || !is_chosen_on(variant)) continue;
        sum += log_ratio((cell->*loss)(), (own->*loss)());
        sets += 1;
      }
      row.push_back(sets == 0 ? "-" : fmt::format("{:.2f}", math::exp(sum / sets)));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table details(const Measured& measured, const Variant& variant) {
  Table table{.caption = fmt::format("{}: error in percent / F, means over tasks and runs", variant.title()),
              .columns = {"sampler"}};
  for (const double share : measured.shares) table.columns.push_back(percent(share));
  for (const std::string& sampler : measured.samplers) {
    std::vector<std::string> row{sampler};
    for (const double share : measured.shares) {
      const Cell* cell = measured.find(variant, sampler, share);
      row.push_back(
          cell == nullptr ? "-" : fmt::format("{} / {:.3f}", figure(cell->error()), 1 - cell->f_missed()));
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace askfew::defaults

#include "papers/monteleoni_2007/verdicts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace askfew::monteleoni_2007 {
namespace {

/// If a fold never reached the threshold, the mean of the cell cannot be compared.
bool complete(const Cell& cell) {
  return cell.not_reached == 0;
}

bool fewer(const Cell& a, const Cell& b) {
  return complete(a) && (!complete(b) || a.sample.mean < b.sample.mean);
}

/// Says which folds a mean leaves out.
std::string missed(const Cell& cell) {
  if (complete(cell)) return "";
  return fmt::format(", without the {} of {} folds that never reach the error", cell.not_reached,
                     cell.not_reached + cell.labels.size());
}

/// The better of the two active Perceptrons.
Algorithm better_active(const Row& row) {
  return fewer(row[cbgz_perc], row[dkm_perc]) ? cbgz_perc : dkm_perc;
}

Verdict fewer_than_random(std::span<const Problem> problems, std::span<const Row> rows, bool usps) {
  Verdict verdict{.holds = true,
                  .claim = fmt::format("On every {} problem DKMperc or CBGZperc needs fewer labels than both "
                                       "random samplers.",
                                       usps ? "USPS" : "MNIST"),
                  .found = {}};
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (problems[k].paper->usps != usps) continue;
    const Algorithm active = better_active(rows[k]);
    const Algorithm random = fewer(rows[k][rand_dkm], rows[k][rand_perc]) ? rand_dkm : rand_perc;
    verdict.holds = verdict.holds && fewer(rows[k][active], rows[k][random]);
    verdict.found += fmt::format("{}{}: {} {:.1f}, {} {:.1f}", verdict.found.empty() ? "" : "; ",
                                 problems[k].paper->name, names[active].paper, rows[k][active].sample.mean,
                                 names[random].paper, rows[k][random].sample.mean);
  }
  verdict.found += ".";
  return verdict;
}

Verdict as_in_paper(const Problem& problem, const Row& row) {
  const Labels& paper = problem.paper->labels[dkm_perc];
  const Sample& sample = row[dkm_perc].sample;
  return {.holds = complete(row[dkm_perc]) && deviations_off(row[dkm_perc], paper) <= 1,
          .claim = fmt::format(
              "DKMperc on {}: {:.2f} labels, within the paper's deviation of {:.2f}, over all folds.",
              problem.paper->name, paper.mean, paper.deviation),
          .found = fmt::format("{:.2f} labels, deviation {:.2f}{}.", sample.mean, sample.deviation,
                               missed(row[dkm_perc]))};
}

/// "The minimum number of labels was attained by DKMactivePerceptron, in all but two of the problems, in
/// which the minimum was achieved by CBGZ": the two problems that are not separable.
Verdict winners(std::span<const Problem> problems, std::span<const Row> rows) {
  Verdict verdict{.holds = true,
                  .claim =
                      "DKMperc needs the fewest labels of all samplers, except on 147vAll, where CBGZperc "
                      "needs the fewest.",
                  .found = {}};
  for (std::size_t k = 0; k < problems.size(); ++k) {
    std::size_t best = 0;
    for (std::size_t algorithm = 1; algorithm < algorithms; ++algorithm) {
      if (fewer(rows[k][algorithm], rows[k][best])) best = algorithm;
    }
    verdict.holds = verdict.holds && best == (problems[k].paper->positive == "147" ? cbgz_perc : dkm_perc);
    verdict.found += fmt::format("{}{}: {} {:.1f}", verdict.found.empty() ? "" : "; ",
                                 problems[k].paper->name, names[best].paper, rows[k][best].sample.mean);
  }
  verdict.found += ".";
  return verdict;
}

Verdict every_number(std::span<const Problem> problems, std::span<const Row> rows) {
  std::vector<std::string> others;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
      const Cell& cell = rows[k][algorithm];
      const Labels& paper = problems[k].paper->labels[algorithm];
      if (complete(cell) && deviations_off(cell, paper) <= 1) continue;
      others.push_back(fmt::format("{} {}: {:.1f}, paper {:.1f} ± {:.1f}{}", problems[k].paper->name,
                                   names[algorithm].paper, cell.sample.mean, paper.mean, paper.deviation,
                                   missed(cell)));
    }
  }
  const std::size_t all = problems.size() * algorithms;
  return {.holds = others.empty(),
          .claim = "Every mean is within the paper's deviation of the paper's mean, over all folds.",
          .found = fmt::format("{} of {} are{}{}.", all - others.size(), all,
                               others.empty() ? "" : "; the others: ", fmt::join(others, "; "))};
}

}  // namespace

double deviations_off(const Cell& cell, const Labels& paper) {
  return std::abs(cell.sample.mean - paper.mean) / paper.deviation;
}

std::vector<Verdict> verdicts_of(std::span<const Problem> problems, std::span<const Row> rows) {
  std::vector<Verdict> verdicts{fewer_than_random(problems, rows, false),
                                fewer_than_random(problems, rows, true)};
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const std::string_view name = problems[k].paper->name;
    if (name == "MNIST 0v1" || name == "MNIST 4v7") verdicts.push_back(as_in_paper(problems[k], rows[k]));
  }
  verdicts.push_back(winners(problems, rows));
  verdicts.push_back(every_number(problems, rows));
  return verdicts;
}

}  // namespace askfew::monteleoni_2007

#include "papers/monteleoni_2007/verdicts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "papers/claim.h"

namespace askfew::monteleoni_2007 {
namespace {

constexpr double folds_in_paper = 50;  // 5 runs of 10 folds

/// The standard error of the paper's mean. The paper gives the deviation of a fold only, and its folds share
/// examples as ours do: the error over separate folds is enlarged by the same factor as ours.
double standard_error_in_paper(const Cell& cell, const Labels& paper) {
  const double alone =
      cell.sample.deviation / std::sqrt(std::max(1.0, static_cast<double>(cell.labels.size())));
  const double factor = alone > 0 ? std::max(1.0, cell.sample.standard_error / alone) : 1;
  return factor * paper.deviation / std::sqrt(folds_in_paper);
}

/// If a fold never reached the threshold, the mean of the cell is too small.
bool complete(const Cell& cell) {
  return cell.not_reached == 0;
}

/// The better cell comes first: a cell in which all folds reach the threshold, then fewer labels.
bool fewer(const Cell& a, const Cell& b) {
  if (complete(a) != complete(b)) return complete(a);
  return a.sample.mean < b.sample.mean;
}
/// Does `a` need clearly fewer labels than `b`? A mean that leaves folds out is never clearly smaller.
bool clearly_fewer(const Cell& a, const Cell& b) {
  return complete(a) && standard_errors_between(b.sample, a.sample) > clear_difference;
}

/// Is neither clearly better? A mean that leaves folds out is no part of a tie.
bool is_tie(const Cell& a, const Cell& b) {
  return complete(a) && complete(b) && !clearly_fewer(a, b) && !clearly_fewer(b, a);
}

std::string labels_text(Algorithm algorithm, const Cell& cell) {
  std::string text = fmt::format("{} {:.1f} (standard error {:.1f})", names[algorithm].paper,
                                 cell.sample.mean, cell.sample.standard_error);
  if (!complete(cell)) {
    text += fmt::format(", without the {} of {} folds that never reach the error", cell.not_reached,
                        cell.not_reached + cell.labels.size());
  }
  return text;
}

Algorithm better_of(const Row& row, Algorithm a, Algorithm b) {
  return fewer(row[b], row[a]) ? b : a;
}

Claim fewer_than_random(std::span<const Problem> problems, std::span<const Row> rows) {
  Claim claim("DKMperc or CBGZperc needs significantly fewer labels than both random samplers.");
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Algorithm active = better_of(rows[k], dkm_perc, cbgz_perc);
    const Algorithm random = better_of(rows[k], rand_perc, rand_dkm);
    const Cell& ours = rows[k][active];
    const Cell& theirs = rows[k][random];
    claim.add(std::string(problems[k].paper->name), clearly_fewer(ours, theirs),
              labels_text(active, ours) + "; " + labels_text(random, theirs), is_tie(ours, theirs));
  }
  return claim;
}

/// "The minimum number of labels was attained by DKMactivePerceptron, in all but two of the problems, in
/// which the minimum was achieved by CBGZ": the two problems that are not separable.
Claim winners(std::span<const Problem> problems, std::span<const Row> rows) {
  Claim claim("DKMperc needs the fewest labels of the six samplers; on 147vAll CBGZperc does.");
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Algorithm expected = problems[k].paper->positive == "147" ? cbgz_perc : dkm_perc;
    Algorithm rival = expected == dkm2 ? dkm_perc : dkm2;
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
      if (algorithm != expected) rival = better_of(rows[k], rival, static_cast<Algorithm>(algorithm));
    }
    const Cell& ours = rows[k][expected];
    claim.add(std::string(problems[k].paper->name), clearly_fewer(ours, rows[k][rival]),
              labels_text(expected, ours) + "; the best other is " + labels_text(rival, rows[k][rival]),
              is_tie(ours, rows[k][rival]));
  }
  return claim;
}

/// Is the mean the paper's, as far as two samples of folds can tell?
bool agrees(const Cell& cell, const Labels& paper) {
  return complete(cell) && distance_of(cell, paper).standard_errors <= clear_difference;
}

std::string beside_paper(Algorithm algorithm, const Cell& cell, const Labels& paper) {
  const Distance off = distance_of(cell, paper);
  return fmt::format(
      "{}, the paper {:.1f} (standard error {:.1f}): {:.1f} standard errors, {:.2f} deviations",
      labels_text(algorithm, cell), paper.mean, standard_error_in_paper(cell, paper), off.standard_errors,
      off.deviations);
}

Claim dkm_perc_as_in_paper(std::span<const Problem> problems, std::span<const Row> rows) {
  Claim claim("DKMperc needs as many labels as in the paper, within two standard errors, over all folds.");
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Labels& paper = problems[k].paper->labels[dkm_perc];
    claim.add(std::string(problems[k].paper->name), agrees(rows[k][dkm_perc], paper),
              beside_paper(dkm_perc, rows[k][dkm_perc], paper));
  }
  return claim;
}

Claim every_number(std::span<const Problem> problems, std::span<const Row> rows) {
  Claim claim(
      "every sampler needs as many labels as in the paper, within two standard errors, over all folds.");
  for (std::size_t k = 0; k < problems.size(); ++k) {
    std::size_t agreeing = 0;
    std::string others;
    for (std::size_t at = 0; at < algorithms; ++at) {
      const auto algorithm = static_cast<Algorithm>(at);
      const Labels& paper = problems[k].paper->labels[algorithm];
      if (agrees(rows[k][algorithm], paper)) {
        ++agreeing;
      } else {
        others += (others.empty() ? "; not: " : "; ") + beside_paper(algorithm, rows[k][algorithm], paper);
      }
    }
    claim.add(std::string(problems[k].paper->name), others.empty(),
              fmt::format("{} of {} do{}", agreeing, static_cast<std::size_t>(algorithms), others));
  }
  return claim;
}

}  // namespace

Distance distance_of(const Cell& cell, const Labels& paper) {
  const Sample theirs{.mean = paper.mean,
                      .deviation = paper.deviation,
                      .standard_error = standard_error_in_paper(cell, paper)};
  return {.standard_errors = std::abs(standard_errors_between(cell.sample, theirs)),
          .deviations = std::abs(cell.sample.mean - paper.mean) / paper.deviation};
}

std::vector<Verdict> verdicts_of(std::span<const Problem> problems, std::span<const Row> rows) {
  return askfew::verdicts_of({fewer_than_random(problems, rows), winners(problems, rows),
                              dkm_perc_as_in_paper(problems, rows), every_number(problems, rows)});
}

}  // namespace askfew::monteleoni_2007

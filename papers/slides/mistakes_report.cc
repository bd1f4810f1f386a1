#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "papers/slides/mistakes.h"
#include "papers/slides/paper.h"
#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

constexpr std::size_t perceptron = 0;
constexpr std::size_t first_logarithmic = 3;  // from this row on, bounds grow with ln U

Verdict verdict_on_bounds(const std::vector<Row>& rows) {
  Verdict verdict{.holds = true,
                  .claim = std::string(bounds_hold),
                  .found = "The largest ratio of mistakes to the bound in any run: "};
  for (std::size_t u = 0; u < updates.size(); ++u) {
    double worst = 0;
    for (const Row& row : rows) worst = std::max(worst, row.cells[u].worst_share);
    verdict.holds = verdict.holds && worst <= 1;
    verdict.found += fmt::format("{}{} {:.1f}%", u == 0 ? "" : ", ", updates[u].name, 100 * worst);
  }
  verdict.found += ".";
  return verdict;
}

Verdict verdict_on_tightness(const std::vector<Row>& rows) {
  Verdict verdict{.holds = true, .claim = std::string(perceptron_is_tight), .found = ""};
  for (const Row& row : rows) {
    if (row.stream.chooser != Chooser::adversary || row.stream.dimension != rows[0].stream.dimension)
      continue;
    const Cell& cell = row.cells[perceptron];
    verdict.holds = verdict.holds && cell.mistakes.mean >= 0.85 * cell.bound;
    verdict.found += fmt::format("{}U = {}: {:.0f} of {:.0f}", verdict.found.empty() ? "" : ", ",
                                 row.stream.norm, cell.mistakes.mean, cell.bound);
  }
  verdict.found += " mistakes.";
  return verdict;
}

/// Compares the updates against the adversary at the largest U, in the smallest dimension.
Verdict verdict_on_centres(const std::vector<Row>& rows) {
  const Row* largest = &rows[0];
  for (const Row& row : rows) {
    if (row.stream.chooser == Chooser::adversary && row.stream.dimension == rows[0].stream.dimension &&
        row.stream.norm > largest->stream.norm) {
      largest = &row;
    }
  }
  Verdict verdict{.holds = true, .claim = std::string(centres_win), .found = ""};
  for (std::size_t u = 0; u < updates.size(); ++u) {
    if (u >= first_logarithmic) {
      verdict.holds =
          verdict.holds && largest->cells[u].mistakes.mean < largest->cells[perceptron].mistakes.mean;
    }
    verdict.found +=
        fmt::format("{}{} {:.0f}", u == 0 ? "" : ", ", updates[u].name, largest->cells[u].mistakes.mean);
  }
  verdict.found = fmt::format("Mistakes against the adversary, d = {}, U = {}: {}.",
                              largest->stream.dimension, largest->stream.norm, verdict.found);
  return verdict;
}

Figure figure_of(const std::vector<Row>& rows, Chooser chooser, std::size_t dimension) {
  Figure figure{.title = "",
                .x = {.title = "U, the norm of the separator", .logarithmic = true},
                .y = {.title = "mistakes", .logarithmic = true}};
  for (std::size_t u = 0; u < updates.size(); ++u) {
    Series series{.title = std::string(updates[u].name)};
    for (const Row& row : rows) {
      if (row.stream.chooser != chooser || row.stream.dimension != dimension) continue;
      series.x.push_back(row.stream.norm);
      series.y.push_back(row.cells[u].mistakes.mean);
    }
    figure.series.push_back(series);
  }
  return figure;
}

Table table_of(const std::vector<Row>& rows) {
  Table table{.caption = "Mean number of mistakes, and the bound", .columns = {"instances by", "d", "U"}};
  for (const Update& update : updates) table.columns.emplace_back(update.name);
  for (const Row& row : rows) {
    std::vector<std::string> cells{std::string(text_of(row.stream.chooser)),
                                   std::to_string(row.stream.dimension), fmt::format("{}", row.stream.norm)};
    for (const Cell& cell : row.cells)
      cells.push_back(fmt::format("{:.1f} of {:.0f}", cell.mistakes.mean, cell.bound));
    table.rows.push_back(cells);
  }
  return table;
}

}  // namespace

void add_mistakes(const ExperimentContext& context, ExperimentReport& report) {
  const std::vector<Row> rows = measure_mistakes(context);
  Page& page = report.page;
  page.heading("Mistakes on separable streams");
  page.verdict(verdict_on_bounds(rows));
  page.verdict(verdict_on_tightness(rows));
  page.verdict(verdict_on_centres(rows));
  page.paragraph(
      "Instances have norm 1, and y u.x >= 1 for a teacher u of norm U. The adversary sees the weights "
      "before every round. It chooses an x with y u.x = 1 that the weights classify wrongly by as little as "
      "possible, until there is no such x. Chance does not see the weights: u.x is uniform on both sides of "
      "the gap.");
  page.paragraph(
      "The bounds come from askfew/theory/bounds.h. Perceptron and Hildreth: U^2. Ellipsoid: 2 d (d+1) ln(1 "
      "+ U). Volumetric centre: 64 d ln(51 d (1 + U)). Centre of gravity, estimated from 20 d random points "
      "with error t = 1/sqrt 20: d ln(1 + U)/-ln(1 - 1/e + t). 2nd order: sqrt((U^2 + sum (u.x)^2) ln |A|) "
      "over the updates of the run, with |A| at most (1 + m/d)^d for m updates. The slides give the orders "
      "U^2, d U ln U, d^2 ln U and d ln U.");
  const std::size_t least = rows.front().stream.dimension;
  page.figure(
      figure_of(rows, Chooser::adversary, least),
      fmt::format(
          "Mistakes against the adversary in {} dimensions, until the adversary finds no further mistake.",
          least));
  page.figure(figure_of(rows, Chooser::chance, least),
              fmt::format("Mistakes on instances drawn by chance, d = {}.", least));
  page.table(table_of(rows));
  for (const Row& row : rows) {
    for (std::size_t u = 0; u < updates.size(); ++u) {
      report.figures["mistakes"].push_back({{"instances_by", text_of(row.stream.chooser)},
                                            {"d", row.stream.dimension},
                                            {"U", row.stream.norm},
                                            {"update", updates[u].name},
                                            {"mistakes", row.cells[u].mistakes.mean},
                                            {"half_width", row.cells[u].mistakes.half_width},
                                            {"bound", row.cells[u].bound},
                                            {"worst_share", row.cells[u].worst_share}});
    }
  }
}

}  // namespace askfew::slides

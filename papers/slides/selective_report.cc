#include <fmt/core.h>

#include "papers/slides/paper.h"
#include "papers/slides/selective.h"

namespace askfew::slides {
namespace {

Series series_of(std::string title, const std::vector<Point>& points) {
  Series series{.title = std::move(title)};
  for (const Point& point : points) {
    series.x.push_back(point.share.mean);
    series.y.push_back(point.accuracy.mean);
    series.low.push_back(point.accuracy.mean - point.accuracy.half_width);
    series.high.push_back(point.accuracy.mean + point.accuracy.half_width);
  }
  return series;
}

std::string text_of(const Sample& sample) {
  return fmt::format("{:.2f} ± {:.2f}", sample.mean, sample.half_width);
}

}  // namespace

void add_verdicts(Page& page, const Noisy& noisy, const Curves& curves) {
  const Point& tenth = curves.selective[a_tenth];
  page.verdict({.holds = tenth.accuracy.mean >= curves.all.accuracy.mean - 1,
                .claim = fmt::format("{} Here: {}.", few_labels, noisy.name),
                .found = fmt::format("{:.1f}% of the labels: {}%; all labels: {}%.", tenth.share.mean,
                                     text_of(tenth.accuracy), text_of(curves.all.accuracy))});
  bool better = true;
  std::string found;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const Sample& own = curves.selective[s].accuracy;
    const Sample& other = curves.random[s].accuracy;
    better = better && own.mean > other.mean;
    found += fmt::format("{}{:.1f}%: {} against {}", s == 0 ? "" : ", ", curves.selective[s].share.mean,
                         text_of(own), text_of(other));
  }
  page.verdict({.holds = better,
                .claim = fmt::format("{} Here: {}.", better_than_random, noisy.name),
                .found = "Accuracy in percent by the share of the labels: " + found + "."});
}

void add_curves(Page& page, const Noisy& noisy, const Curves& curves) {
  const Point& all = curves.all;
  page.figure(
      {.title = noisy.name,
       .x = {.title = "labels, %", .logarithmic = true},
       .y = {.title = "accuracy, %"},
       .series = {series_of("selective", curves.selective), series_of("random", curves.random),
                  Series{.title = "all labels",
                         .x = {curves.selective.front().share.mean, curves.selective.back().share.mean},
                         .y = {all.accuracy.mean, all.accuracy.mean},
                         .style = Series::Style::lines}}},
      fmt::format("Accuracy on all rounds of {}, mean and 95% interval over the seeds.", noisy.stream));
  Table table{.caption = "Accuracy in percent: " + noisy.name,
              .columns = {"labels, %", "selective", "random", "all labels"}};
  for (std::size_t s = 0; s < shares.size(); ++s) {
    table.rows.push_back({fmt::format("{:.1f}", curves.selective[s].share.mean),
                          text_of(curves.selective[s].accuracy), text_of(curves.random[s].accuracy),
                          text_of(all.accuracy)});
  }
  page.table(table);
}

}  // namespace askfew::slides

#include "papers/moroshko_2014/experiment.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "askfew/core/errors.h"

#include "papers/moroshko_2014/verdicts.h"

namespace askfew::moroshko_2014 {
namespace {

Figure accuracy_over_time(const Part& part, const MeasuredGroup& group) {
  Figure figure{.title = "", .x = {.title = "rounds"}, .y = {.title = "accuracy so far, %"}};
  for (const Measured& one : group.contestants) {
    if (!one.contestant.in_paper) continue;
    Series series{.title = one.contestant.name, .style = Series::Style::lines};
    for (std::size_t p = 0; p < part.after.size(); ++p) {
      const Sample& point = one.curve[p];
      series.x.push_back(static_cast<double>(part.after[p]));
      series.y.push_back(100 * point.mean);
      series.low.push_back(100 * (point.mean - point.half_width));
      series.high.push_back(100 * (point.mean + point.half_width));
    }
    figure.series.push_back(series);
  }
  return figure;
}

Figure accuracy_by_share(const Part& part) {
  Figure figure{.title = "", .x = {.title = "share of the labels, %"}, .y = {.title = "accuracy, %"}};
  for (const MeasuredGroup& group : part.groups) {
    if (group.rate == every_label) continue;
    for (std::size_t k = 0; k < group.contestants.size(); ++k) {
      const Measured& one = group.contestants[k];
      if (figure.series.size() <= k) figure.series.push_back({.title = one.contestant.name});
      Series& series = figure.series[k];
      const Sample& end = one.accuracy();
      series.x.push_back(100 * one.share.mean);
      series.y.push_back(100 * end.mean);
      series.low.push_back(100 * (end.mean - end.half_width));
      series.high.push_back(100 * (end.mean + end.half_width));
    }
  }
  return figure;
}

Table table_of(const MeasuredGroup& group, std::string caption) {
  Table table{.caption = std::move(caption), .columns = {"sampler", "accuracy, %", "labels, %", "settings"}};
  for (const Measured& one : group.contestants) {
    table.rows.push_back(
        {one.contestant.name + (one.contestant.in_paper ? "" : " (not in the paper)"),
         fmt::format("{:.2f} ± {:.2f}", 100 * one.accuracy().mean, 100 * one.accuracy().half_width),
         fmt::format("{:.1f}", 100 * one.share.mean), settings_of(one.contestant.sampler)});
  }
  return table;
}

/// The chosen settings, how well they did on the repetitions for tuning, and what did as well.
Table tuning_table(const Part& part) {
  Table table{.caption = fmt::format("Tuning on the {}: accuracy with its standard error, and the learners "
                                     "that are not clearly worse (two standard errors of the difference)",
                                     part.source),
              .columns = {"rate", "sampler", "chosen", "accuracy, %", "ties"}};
  for (const MeasuredGroup& group : part.groups) {
    for (const Measured& one : group.contestants) {
      const Tuned& tuned = one.contestant;
      if (tuned.accuracy.mean == 0) continue;  // nothing to choose
      table.rows.push_back(
          {group.rate == every_label ? "every label" : fmt::format("{}", group.rate), tuned.name,
           settings_of(tuned.sampler),
           fmt::format("{:.2f} ± {:.2f}", 100 * tuned.accuracy.mean, 100 * tuned.accuracy.standard_error),
           tuned.ties.empty() ? "none" : fmt::format("{}", fmt::join(tuned.ties, "; "))});
    }
  }
  return table;
}

void show(Page& page, const Part& part) {
  page.heading(fmt::format("The {}, every label asked", part.source));
  page.figure(accuracy_over_time(part, part.at(every_label)),
              fmt::format("Accuracy so far, mean and 95% interval of {} repetitions.", part.repetitions));
  page.table(table_of(part.at(every_label), fmt::format("After {} rounds", part.after.back())));
  page.heading(fmt::format("The {}, selective sampling", part.source));
  for (const double rate : named_rates) {
    page.figure(accuracy_over_time(part, part.at(rate)),
                fmt::format("Accuracy so far, with about {:.0f}% of the labels asked.", 100 * rate));
  }
  page.figure(accuracy_by_share(part), fmt::format("Accuracy after {} rounds.", part.after.back()));
  for (const MeasuredGroup& group : part.groups) {
    if (group.rate == every_label) continue;
    page.table(table_of(group, fmt::format("About {:.0f}% of the labels", 100 * group.rate)));
  }
  page.table(tuning_table(part));
}

/// The rates at which a sampler that is not in the paper is better than the sampler that the paper proposes.
std::string beyond_paper(const Part& part) {
  std::string rates;
  for (const MeasuredGroup& group : part.groups) {
    if (group.rate == every_label) continue;
    const Sample& lasec = named(group, "LASEC-SS").accuracy();
    const Sample& bbq = named(group, "BBQ-I, a tuned").accuracy();
    if (bbq.mean <= lasec.mean) continue;
    rates +=
        fmt::format("{}{} ({:.2f}% ± {:.2f} against {:.2f}% ± {:.2f})", rates.empty() ? "" : ", ", group.rate,
                    100 * bbq.mean, 100 * bbq.half_width, 100 * lasec.mean, 100 * lasec.half_width);
  }
  return fmt::format("Beyond the paper, on the {}: BBQ-I with a tuned a is better than LASEC-SS at {}.",
                     part.source, rates.empty() ? "none of the rates" : "the rates " + rates);
}

Part measured_on(const Source& source, const ExperimentContext& context) {
  return measure(source, groups_of(source, context.quick), context.quick ? 8 : 50, context);
}

void explain(Page& page) {
  page.paragraph(
      "There are two streams whose target shifts every 500 rounds. The shifting Gaussian has x ~ N(0, I) in "
      "50 dimensions, labelled by a Gaussian vector that is drawn anew at each shift. The shifting USPS has "
      "the digits of USPS in a random order; at each shift another random subgroup of the digits becomes "
      "positive. Accuracy counts every round, asked or not.");
  page.paragraph(
      "The settings of a learner (b and c of LASEC, a of SOP) are those with the best accuracy at the same "
      "rate. The scale of a rule is searched so that its share of labels is the rate. Both use repetitions "
      "that are reserved for tuning and do not enter the report. BBQ and BBQ-I start from A = I, as in their "
      "paper. For comparison the report also shows BBQ-I with a tuned a, and the Shifting and the Randomized "
      "Budget Perceptron with tuned parameters, which the paper sets by hand. The Modified Perceptron needs "
      "instances of norm 1 and gets them.");
}

}  // namespace

ExperimentReport run(const ExperimentContext& context) {
  // Looks for missing data before any time is spent; the Gaussian stream needs no data.
  std::optional<Source> usps;
  std::string missing;
  try {
    usps = shifting_usps(context);
  } catch (const FileError& error) {
    missing = error.what();
  }
  ExperimentReport report{.page = Page("Moroshko and Crammer 2014: Selective Sampling with Drift"),
                          .figures = {}};
  std::vector<Part> parts{measured_on(shifting_gaussian(context), context)};
  for (const Verdict& verdict : verdicts_on_gaussian(parts[0])) report.page.verdict(verdict);
  if (usps) {
    parts.push_back(measured_on(*usps, context));
    for (const Verdict& verdict : verdicts_on_usps(parts[1])) report.page.verdict(verdict);
  } else {
    report.page.paragraph("The shifting USPS is left out: " + missing);
  }
  for (const Part& part : parts) report.page.paragraph(beyond_paper(part));
  report.page.heading("How it was measured");
  explain(report.page);
  for (const Part& part : parts) {
    show(report.page, part);
    report.figures["parts"].push_back(json_of(part));
  }
  if (!usps) report.figures["left_out"] = missing;
  for (const Verdict& verdict : report.page.verdicts()) {
    report.figures["verdicts"].push_back(json_of(verdict));
  }
  return report;
}

}  // namespace askfew::moroshko_2014

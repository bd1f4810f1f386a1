#include "papers/drift_rates/experiment.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"

#include "papers/claim.h"
#include "papers/drift_rates/streams.h"
#include "papers/moroshko_2014/measured.h"

namespace askfew::drift_rates {
namespace {

using namespace moroshko_2014;

constexpr std::string_view bank = "lasec-bank";
constexpr double max_lost = 0.01;  ///< difference in accuracy to the best c in hindsight

/// The bank with its default parameters, and single LASECs whose c covers the range of the bank's drift
/// rates.
std::vector<Group> groups(bool quick) {
  const std::vector<double> fixed =
      quick ? std::vector<double>{3, 100, 1e4, 1e6} : std::vector<double>{3, 10, 30, 100, 300, 1e3, 1e4, 1e6};
  std::vector<Group> all;
  for (const double rate : {every_label, named_rates[0], named_rates[1]}) {
    const std::string rule = rate == every_label ? "always" : "margin:b=0.03";
    Group group{.rate = rate, .contestants = {}};
    for (const double c : fixed) {
      group.contestants.push_back(
          {.name = fmt::format("c = {}", c), .learners = {fmt::format("lasec:c={}", c)}, .rule = rule});
    }
    group.contestants.push_back({.name = std::string(bank), .learners = {std::string(bank)}, .rule = rule});
    all.push_back(group);
  }
  return all;
}

/// Short streams are repeated more often, because coins matter more there.
std::size_t repetitions(const Source& source, const ExperimentContext& context) {
  if (context.quick) return 2;
  return source.rounds < 5'000 ? 50 : 10;
}

std::string percent(const Sample& sample) {
  return fmt::format("{:.2f} ± {:.2f}", 100 * sample.mean, 100 * sample.half_width);
}

std::string title_of(double rate) {
  return rate == every_label ? "every label" : fmt::format("about {:.0f}%", 100 * rate);
}

Table table_of(const Part& part) {
  Table table{
      .caption = fmt::format("Accuracy in % after {} rounds, and the share of labels, mean of {} repetitions",
                             part.after.back(), part.repetitions),
      .columns = {"sampler"}};
  for (const Measured& one : part.groups[0].contestants) table.rows.push_back({one.contestant.name});
  for (const MeasuredGroup& group : part.groups) {
    table.columns.push_back(title_of(group.rate));
    for (std::size_t k = 0; k < group.contestants.size(); ++k) {
      const Measured& one = group.contestants[k];
      table.rows[k].push_back(fmt::format("{} with {:.1f}%", percent(one.accuracy()), 100 * one.share.mean));
    }
  }
  return table;
}

/// The LASECs with a fixed drift rate in ascending order of accuracy.
std::vector<const Measured*> fixed_by_accuracy(const MeasuredGroup& group) {
  std::vector<const Measured*> all;
  for (const Measured& one : group.contestants) {
    if (one.contestant.name != bank) all.push_back(&one);
  }
  std::sort(all.begin(), all.end(),
            [](const Measured* a, const Measured* b) { return a->accuracy().mean < b->accuracy().mean; });
  return all;
}

void judge(const Part& part, Claim& near_best, Claim& above_worst) {
  for (const MeasuredGroup& group : part.groups) {
    const Sample& own = named(group, bank).accuracy();
    const std::vector<const Measured*> fixed = fixed_by_accuracy(group);
    const Measured& best = *fixed.back();
    const Measured& worst = *fixed.front();
    const std::string set = fmt::format("{}, {}", part.source, title_of(group.rate));
    near_best.add(
        set, own.mean >= best.accuracy().mean - max_lost,
        fmt::format("{} against {} of {}", percent(own), percent(best.accuracy()), best.contestant.name));
    above_worst.add(
        set, own.mean - own.half_width > worst.accuracy().mean + worst.accuracy().half_width,
        fmt::format("{} against {} of {}", percent(own), percent(worst.accuracy()), worst.contestant.name));
  }
}

void explain(Page& page) {
  page.paragraph(
      "The parameter c tells LASEC how fast the target drifts. The bank runs LASECs with many values of c "
      "and weighs them by their losses on the asked labels; nobody has to choose c. The bank runs with its "
      "default parameters and is compared with single LASECs whose c is the best or the worst in hindsight. "
      "All have b = 1 and the same rule. The scale of the rule is searched so that the share of labels is "
      "the rate; the search uses other coins (and other draws of the data where data is drawn).");
  page.paragraph(
      "The streams are the two of Moroshko and Crammer, whose target shifts every 500 rounds, the prices of "
      "electricity, and the interests of a reader of news. The last two are in the order of time and have a "
      "constant feature; their repetitions differ in the coins alone, so that their intervals say nothing "
      "about other data.");
}

}  // namespace

ExperimentReport run(const ExperimentContext& context) {
  std::vector<Source> sources{shifting_gaussian(context)};
  std::string missing;
  try {
    sources.push_back(shifting_usps(context));
    for (Source& stream : streams_in_time(context)) sources.push_back(std::move(stream));
  } catch (const FileError& error) {
    sources.resize(1);
    missing = error.what();
  }
  ExperimentReport report{.page = Page(std::string(title)), .figures = {}};
  Claim near_best("The bank loses at most 1 point of accuracy to the best c in hindsight.");
  Claim above_worst("The bank's interval is above the interval of the worst c.");
  std::vector<Part> parts;
  for (const Source& source : sources) {
    parts.push_back(measure(source, groups(context.quick), repetitions(source, context), context));
    judge(parts.back(), near_best, above_worst);
  }
  for (const Claim* claim : {&near_best, &above_worst}) {
    for (const Verdict& verdict : claim->verdicts()) {
      report.page.verdict(verdict);
      report.figures["verdicts"].push_back(json_of(verdict));
    }
  }
  report.page.heading("How it was measured");
  explain(report.page);
  for (const Part& part : parts) {
    report.page.heading(fmt::format("The stream: {}", part.source));
    report.page.table(table_of(part));
    report.figures["parts"].push_back(json_of(part));
  }
  if (!missing.empty()) {
    report.page.paragraph("The streams from data sets are left out: " + missing);
    report.figures["left_out"] = missing;
  }
  return report;
}

}  // namespace askfew::drift_rates

#include "papers/cavallanti_2008/curves.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "papers/claim.h"

namespace askfew::cavallanti_2008 {
namespace {

using nlohmann::json;

/// A preset that runs at several shares of the labels, or at several scales of its rule.
struct Swept {
  std::string preset;
  std::vector<double> rates{};
  std::vector<double> scales{};
  std::size_t runs = 1;  ///< more for samplers that toss coins
};
std::vector<Swept> swept(bool quick) {
  const std::vector<double> rates =
      quick ? std::vector{0.05, 0.1, 0.3} : std::vector{0.01, 0.02, 0.05, 0.1, 0.2, 0.4};
  // SS and SSNL store every example whose label they ask for. A search for a share would try scales at which
  // they take very long, so that their scales are fixed.
  const std::vector<double> scales =
      quick ? std::vector{0.01, 0.1, 0.3} : std::vector{0.005, 0.02, 0.1, 0.3, 1.0, 4.0, 14.0};
  return {{.preset = "ssmd", .rates = rates},
          {.preset = "ss", .scales = scales},
          {.preset = "ssnl", .scales = scales},
          {.preset = "sole", .rates = rates, .runs = quick ? 1U : 5U},
          {.preset = "dkm-perc", .rates = rates}};
}

double f1_of(const Curves& curves, const char* preset, double share) {
  return f1_at(curves.of.at(preset), share);
}

/// These samplers toss no coins or few: a smaller difference in F is called a tie.
constexpr double least_difference = 0.005;

Claim best_below(const std::vector<Curves>& all, double share) {
  Claim claim(
      fmt::format("SSMD has a larger F than SS, SSNL, SOLE and DKMPERC at {:.0f}% of the labels, by "
                  "more than {}.",
                  100 * share, least_difference));
  for (const Curves& curves : all) {
    double best_other = 0;
    std::string found;
    for (const auto& [preset, points] : curves.of) {
      if (preset != "ssmd") best_other = std::max(best_other, f1_at(points, share));
      found += fmt::format("{}{} {:.3f}", found.empty() ? "" : ", ", preset, f1_at(points, share));
    }
    const double lead = f1_of(curves, "ssmd", share) - best_other;
    claim.add(curves.set, lead > least_difference, found, lead >= -least_difference);
  }
  return claim;
}

}  // namespace

Curves measure_curves(const TextSet& set, const ExperimentContext& context) {
  Curves curves{.set = set.name, .stories = set.topics.data.size(), .topics = set.topics.names.size()};
  std::vector<Job> jobs{at_scale_job(set, "perc", 1, context.seed),
                        at_scale_job(set, "sop", 1, context.seed)};
  std::vector<std::string> presets;
  for (const Swept& one : swept(context.quick)) {
    for (const double rate : one.rates)
      jobs.push_back(at_rate_job(set, one.preset, rate, one.runs, context.seed));
    for (const double c : one.scales) {
      jobs.push_back(at_scale_job(set, fmt::format("{}:c={}", one.preset, c), one.runs, context.seed));
    }
    presets.insert(presets.end(), one.rates.size() + one.scales.size(), one.preset);
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  curves.perc = text_point_of(results[0]).f1.mean;
  curves.sop = text_point_of(results[1]).f1.mean;
  for (std::size_t k = 0; k < presets.size(); ++k)
    curves.of[presets[k]].push_back(text_point_of(results[k + 2]));
  for (auto& [preset, points] : curves.of) {
    // The share that a threshold rule asks for changes in jumps: two rates may give the same point, or points
    // in the other order.
    std::sort(points.begin(), points.end(),
              [](const TextPoint& a, const TextPoint& b) { return a.share.mean < b.share.mean; });
    points.erase(std::unique(points.begin(), points.end(),
                             [](const auto& a, const auto& b) { return a.share.mean == b.share.mean; }),
                 points.end());
  }
  return curves;
}

std::vector<Verdict> verdicts_of(const std::vector<Curves>& all) {
  Claim next(fmt::format(
      "SSNL, which asks for the label of the next instance, has a smaller F than SS at 10% of the labels, by "
      "more than {}.",
      least_difference));
  Claim similar(
      "SSMD and SOLE at their largest share are within 0.03 of the F of SOP, which asks for all labels.");
  Claim ineffective("DKMPERC has a smaller F than SSMD and SOLE at 10% of the labels.");
  for (const Curves& curves : all) {
    const double ssmd = f1_of(curves, "ssmd", 0.1);
    const double ss = f1_of(curves, "ss", 0.1);
    const double ssnl = f1_of(curves, "ssnl", 0.1);
    const double sole = f1_of(curves, "sole", 0.1);
    const double dkm = f1_of(curves, "dkm-perc", 0.1);
    next.add(curves.set, ss - ssnl > least_difference, fmt::format("{:.3f} against {:.3f}", ssnl, ss),
             ss - ssnl >= -least_difference);
    const double last_ssmd = curves.of.at("ssmd").back().f1.mean;
    const double last_sole = curves.of.at("sole").back().f1.mean;
    similar.add(curves.set,
                std::abs(last_ssmd - curves.sop) < 0.03 && std::abs(last_sole - curves.sop) < 0.03,
                fmt::format("SSMD {:.3f}, SOLE {:.3f}, SOP {:.3f}", last_ssmd, last_sole, curves.sop));
    ineffective.add(curves.set, dkm < ssmd && dkm < sole,
                    fmt::format("{:.3f} against {:.3f} and {:.3f}", dkm, ssmd, sole));
  }
  return askfew::verdicts_of({best_below(all, 0.05), best_below(all, 0.1), similar, next, ineffective});
}

namespace {

/// F of SSMD and SS, which learns from every asked label, at several shares of the labels.
Table lead_table(const Curves& curves) {
  Table table{.caption = "F of SSMD and of SS, on straight lines between the points of the figure.",
              .columns = {"labels asked", "SSMD", "SS", "SSMD - SS"}};
  for (const double share : {0.01, 0.02, 0.035, 0.05, 0.1, 0.2}) {
    const double ssmd = f1_of(curves, "ssmd", share);
    const double ss = f1_of(curves, "ss", share);
    table.rows.push_back({fmt::format("{:g}%", 100 * share), fmt::format("{:.3f}", ssmd),
                          fmt::format("{:.3f}", ss), fmt::format("{:+.3f}", ssmd - ss)});
  }
  return table;
}

}  // namespace

void show(Page& page, const Curves& curves) {
  page.heading(fmt::format("{}: {} stories, {} topics", curves.set, curves.stories, curves.topics));
  std::vector<Series> series;
  double most = 0;
  for (const char* preset : {"ssmd", "ss", "ssnl", "sole", "dkm-perc"}) {
    series.push_back(f1_series(preset, curves.of.at(preset)));
    most = std::max(most, series.back().x.back());
  }
  series.push_back({.title = "perc, all labels",
                    .x = {0, most},
                    .y = {curves.perc, curves.perc},
                    .style = Series::Style::lines});
  series.push_back({.title = "sop, all labels",
                    .x = {0, most},
                    .y = {curves.sop, curves.sop},
                    .style = Series::Style::lines});
  page.figure({.title = curves.set, .x = {.title = "labels asked, %"}, .y = {.title = "F"}, .series = series},
              "Figure 2: F, averaged over the topics, against the share of labels that were asked.");
  page.table(lead_table(curves));
}

json json_of(const Curves& curves) {
  json figures = {{"set", curves.set},
                  {"stories", curves.stories},
                  {"topics", curves.topics},
                  {"perc", curves.perc},
                  {"sop", curves.sop}};
  for (const auto& [preset, points] : curves.of) {
    for (const TextPoint& point : points) {
      figures["curves"][preset].push_back(
          {{"scale", point.scale}, {"share", point.share.mean}, {"f1", point.f1.mean}});
    }
  }
  return figures;
}

}  // namespace askfew::cavallanti_2008

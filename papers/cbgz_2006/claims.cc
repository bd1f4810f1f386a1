#include "papers/cbgz_2006/claims.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>

#include "papers/claim.h"

namespace askfew::cbgz_2006 {
namespace {

struct Gap {
  double least = std::numeric_limits<double>::infinity();
  double mean = 0;
  double first = 0;
  double last = 0;
};
Gap gap_between(const Measured& measured, const char* better, const char* worse) {
  const auto& high = measured.at_rate.at(better);
  const auto& low = measured.at_rate.at(worse);
  Gap gap;
  for (std::size_t k = 0; k < high.size(); ++k) {
    gap.last = high[k].f1.mean - low[k].f1.mean;
    if (k == 0) gap.first = gap.last;
    gap.least = std::min(gap.least, gap.last);
    gap.mean += gap.last / static_cast<double>(high.size());
  }
  return gap;
}

Verdict better_at_every_rate(const std::vector<Measured>& all, const std::string& claim, const char* better,
                             const char* worse) {
  Claim result(claim);
  for (const Measured& measured : all) {
    const Gap gap = gap_between(measured, better, worse);
    result.add(measured.set, gap.least > 0,
               fmt::format("F {:+.3f} on average, {:+.3f} at least", gap.mean, gap.least));
  }
  return result.verdict();
}

Verdict shrinking(const std::vector<Measured>& all) {
  Claim result(
      "For both orders, the difference between margin sampling and fixed-rate sampling is smaller at the "
      "largest rate than at the smallest.");
  for (const Measured& measured : all) {
    const Gap one = gap_between(measured, "sel-p", "sel-p-fixed");
    const Gap two = gap_between(measured, "sel-2nd", "sel-2nd-fixed");
    result.add(
        measured.set, one.last < one.first && two.last < two.first,
        fmt::format("{:.3f} to {:.3f} and {:.3f} to {:.3f}", one.first, one.last, two.first, two.last));
  }
  return result.verdict();
}

Verdict slightly_worse(const std::vector<Measured>& all) {
  Claim result("SEL-ADA is slightly worse than SEL-P, on average over the rates.");
  for (const Measured& measured : all) {
    const Gap gap = gap_between(measured, "sel-p", "sel-ada");
    result.add(measured.set, gap.mean > 0, fmt::format("F {:+.3f} for SEL-P", gap.mean));
  }
  return result.verdict();
}

Verdict savings(const std::vector<Measured>& all) {
  Claim result(
      "For both orders, some b keeps F within 2% of the F with all labels and saves a third of the labels.");
  for (const Measured& measured : all) {
    std::string found;
    bool holds = true;
    for (const auto& [sampler, points] : measured.of_b) {
      double least = 1;
      for (const TextPoint& point : points) {
        if (point.f1.mean >= 0.98 * measured.all_labels.at(sampler).f1.mean)
          least = std::min(least, point.share.mean);
      }
      holds = holds && least <= 2.0 / 3;
      found += fmt::format("{}{} asks for {:.0f}%", found.empty() ? "" : ", ", sampler, 100 * least);
    }
    result.add(measured.set, holds, found);
  }
  return result.verdict();
}

Verdict fewest(const std::vector<Measured>& all) {
  Claim result(
      "For the same F, SEL-2ND asks for less than half of the labels that SEL-P asks for, and SEL-ADA asks "
      "for more labels than SEL-P.");
  for (const Measured& measured : all) {
    const double p = measured.blocks.at("sel-p").share;
    const double ada = measured.blocks.at("sel-ada").share;
    const double second = measured.blocks.at("sel-2nd").share;
    result.add(
        measured.set, second < p / 2 && ada > p,
        fmt::format("SEL-2ND {:.1f}% for F = {:.3f}, SEL-P {:.1f}% for {:.3f}, SEL-ADA {:.1f}% for {:.3f}",
                    100 * second, measured.blocks.at("sel-2nd").f1, 100 * p, measured.blocks.at("sel-p").f1,
                    100 * ada, measured.blocks.at("sel-ada").f1));
  }
  return result.verdict();
}

Verdict falling(const std::vector<Measured>& all) {
  Claim result(
      "The rates of SEL-P and SEL-2ND fall with time: they are smaller in the last block than in the first.");
  for (const Measured& measured : all) {
    const auto& p = measured.blocks.at("sel-p").block_share;
    const auto& second = measured.blocks.at("sel-2nd").block_share;
    result.add(measured.set, p.back() < p.front() && second.back() < second.front(),
               fmt::format("SEL-P {:.0f}% to {:.0f}%, SEL-2ND {:.0f}% to {:.0f}%", 100 * p.front(),
                           100 * p.back(), 100 * second.front(), 100 * second.back()));
  }
  return result.verdict();
}

}  // namespace

std::vector<Verdict> verdicts_of(const std::vector<Measured>& all) {
  return {better_at_every_rate(
              all, "First order: margin sampling is better than fixed-rate sampling at every rate.", "sel-p",
              "sel-p-fixed"),
          better_at_every_rate(
              all, "Second order: margin sampling is better than fixed-rate sampling at every rate.",
              "sel-2nd", "sel-2nd-fixed"),
          shrinking(all),
          better_at_every_rate(all, "SEL-2ND is better than SEL-P at every rate.", "sel-2nd", "sel-p"),
          slightly_worse(all),
          savings(all),
          fewest(all),
          falling(all)};
}

Verdict tenth_of(const Measured& reuters) {
  const double all = reuters.all_labels.at("sel-2nd").f1.mean;
  const std::vector<TextPoint>& points = reuters.at_rate.at("sel-2nd");
  const auto tenth = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return std::abs(a.share.mean - 0.1) < std::abs(b.share.mean - 0.1);
  });
  const std::string spread =
      tenth->f1.half_width > 0 ? fmt::format(" +- {:.3f}", tenth->f1.half_width) : std::string();
  return {
      .holds = tenth->f1.mean >= 0.95 * all,
      .claim = fmt::format(
          "With a tenth of the labels, second-order margin sampling (sel-2nd) reaches at least 95% of the F "
          "that the same learner reaches with all labels, on the {} most frequent Reuters-21578 topics.",
          reuters.topics.size()),
      .found = fmt::format("F = {:.3f}{} with {:.1f}% of the labels, {:.3f} with all labels: {:.1f}%.",
                           tenth->f1.mean, spread, 100 * tenth->share.mean, all, 100 * tenth->f1.mean / all)};
}

}  // namespace askfew::cbgz_2006

#include "papers/cbgz_2006/claims.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>

#include "papers/cbgz_2006/paper.h"
#include "papers/claim.h"

namespace askfew::cbgz_2006 {
namespace {

/// The differences in F between two samplers, rate by rate.
struct Gap {
  double least = std::numeric_limits<double>::infinity();
  double mean = 0;
  double first = 0;
  double last = 0;
  double least_clear = std::numeric_limits<double>::infinity();  ///< the smallest, in standard errors
};
Gap gap_between(const Measured& measured, const char* better, const char* worse) {
  const auto& high = measured.at_rate.at(better);
  const auto& low = measured.at_rate.at(worse);
  Gap gap;
  for (std::size_t k = 0; k < high.size(); ++k) {
    gap.last = high[k].f1.mean - low[k].f1.mean;
    if (k == 0) gap.first = gap.last;
    gap.least = std::min(gap.least, gap.last);
    gap.least_clear = std::min(gap.least_clear, standard_errors_between(high[k].f1, low[k].f1));
    gap.mean += gap.last / static_cast<double>(high.size());
  }
  return gap;
}

/// The standard error of the mean difference over the rates.
double mean_error(const Measured& measured, const char* better, const char* worse) {
  double squares = 0;
  for (const char* sampler : {better, worse}) {
    for (const TextPoint& point : measured.at_rate.at(sampler))
      squares += point.f1.standard_error * point.f1.standard_error;
  }
  return std::sqrt(squares) / static_cast<double>(measured.at_rate.at(better).size());
}

/// A tie: at some rate the samplers do not differ clearly, and at none is the other sampler clearly better.
Claim better_at_every_rate(const std::vector<Measured>& all, const std::string& claim, const char* better,
                           const char* worse) {
  Claim result(claim);
  for (const Measured& measured : all) {
    const Gap gap = gap_between(measured, better, worse);
    result.add(measured.set, gap.least_clear > clear_difference,
               fmt::format("F {:+.3f} on average, {:+.3f} at least ({})", gap.mean, gap.least,
                           standard_errors_text(gap.least_clear)),
               gap.least_clear >= -clear_difference);
  }
  return result;
}

Claim shrinking(const std::vector<Measured>& all) {
  Claim result(
      "for both orders, the difference between margin sampling and fixed-rate sampling is smaller at the "
      "largest rate than at the smallest.");
  for (const Measured& measured : all) {
    const Gap one = gap_between(measured, "sel-p", "sel-p-fixed");
    const Gap two = gap_between(measured, "sel-2nd", "sel-2nd-fixed");
    result.add(
        measured.set, one.last < one.first && two.last < two.first,
        fmt::format("{:.3f} to {:.3f} and {:.3f} to {:.3f}", one.first, one.last, two.first, two.last));
  }
  return result;
}

Claim slightly_worse(const std::vector<Measured>& all) {
  Claim result("SEL-ADA is slightly worse than SEL-P, on average over the rates.");
  for (const Measured& measured : all) {
    const Gap gap = gap_between(measured, "sel-p", "sel-ada");
    const double error = mean_error(measured, "sel-p", "sel-ada");
    result.add(measured.set, gap.mean > clear_difference * error,
               fmt::format("F {:+.3f} for SEL-P (standard error {:.3f})", gap.mean, error),
               gap.mean >= -clear_difference * error);
  }
  return result;
}

Claim savings(const std::vector<Measured>& all) {
  Claim result(
      "for both orders, some b keeps F within 2% of the F with all labels and saves a third of the labels.");
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
  return result;
}

Claim fewest(const std::vector<Measured>& all) {
  Claim result(
      "for the same F, SEL-2ND asks for less than half of the labels that SEL-P asks for, and SEL-ADA asks "
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
  return result;
}

Claim falling(const std::vector<Measured>& all) {
  Claim result(
      "the rates of SEL-P and SEL-2ND fall with time: they are smaller in the last block than in the first.");
  for (const Measured& measured : all) {
    const auto& p = measured.blocks.at("sel-p").block_share;
    const auto& second = measured.blocks.at("sel-2nd").block_share;
    result.add(measured.set, p.back() < p.front() && second.back() < second.front(),
               fmt::format("SEL-P {:.0f}% to {:.0f}%, SEL-2ND {:.0f}% to {:.0f}%", 100 * p.front(),
                           100 * p.back(), 100 * second.front(), 100 * second.back()));
  }
  return result;
}

/// The paper's table of b and the share of labels. The stories are others than the paper's, so that the
/// shares cannot be equal within the chance of the coins.
Claim rates_of_b(const std::vector<Measured>& all, const char* sampler, double RateOfB::*b) {
  constexpr double near = 0.05;
  Claim result(
      fmt::format("with each b of the paper's table, {} asks for the share of labels that the table "
                  "has, within {:.0f} points.",
                  sampler, 100 * near));
  for (const Measured& measured : all) {
    double farthest = 0;
    std::string found;
    for (const RateOfB& line : rates) {
      for (const TextPoint& point : measured.of_b.at(sampler)) {
        if (point.scale != line.*b) continue;
        farthest = std::max(farthest, std::abs(point.share.mean - line.rate));
        found += fmt::format("{}{:.1f}% for {:.1f}%", found.empty() ? "" : ", ", 100 * point.share.mean,
                             100 * line.rate);
      }
    }
    result.add(measured.set, farthest <= near,
               fmt::format("at most {:.1f} points off ({})", 100 * farthest, found));
  }
  return result;
}

}  // namespace

std::vector<Verdict> verdicts_of(const std::vector<Measured>& all) {
  return askfew::verdicts_of(
      {rates_of_b(all, "sel-p", &RateOfB::first_order), rates_of_b(all, "sel-2nd", &RateOfB::second_order),
       better_at_every_rate(all,
                            "first order: margin sampling is better than fixed-rate sampling at every rate.",
                            "sel-p", "sel-p-fixed"),
       better_at_every_rate(all,
                            "second order: margin sampling is better than fixed-rate sampling at every rate.",
                            "sel-2nd", "sel-2nd-fixed"),
       shrinking(all),
       better_at_every_rate(all, "SEL-2ND is better than SEL-P at every rate.", "sel-2nd", "sel-p"),
       slightly_worse(all), savings(all), fewest(all), falling(all)});
}

std::string about_a_tenth(const Measured& reuters) {
  const double all = reuters.all_labels.at("sel-2nd").f1.mean;
  const std::vector<TextPoint>& points = reuters.at_rate.at("sel-2nd");
  const auto tenth = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return std::abs(a.share.mean - 0.1) < std::abs(b.share.mean - 0.1);
  });
  return fmt::format(
      "Not a claim of the paper: with {:.1f}% of the labels, second-order margin sampling (sel-2nd) reaches "
      "F "
      "= {:.3f} (standard error {:.3f}) on the {} most frequent topics of Reuters-21578, {:.1f}% of the F = "
      "{:.3f} that the same learner reaches with all labels.",
      100 * tenth->share.mean, tenth->f1.mean, tenth->f1.standard_error, reuters.topics.size(),
      100 * tenth->f1.mean / all, all);
}

}  // namespace askfew::cbgz_2006

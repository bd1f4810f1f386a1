#include "papers/moroshko_2014/verdicts.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>

#include "papers/claim.h"

namespace askfew::moroshko_2014 {
namespace {

std::string percent(const Sample& sample) {
  return fmt::format("{:.2f}% ± {:.2f}", 100 * sample.mean, 100 * sample.half_width);
}

/// Names and accuracies of the paper's contestants at a point of their curves, the best first.
std::string standings(const MeasuredGroup& group, std::size_t point) {
  std::vector<const Measured*> order;
  for (const Measured& one : group.contestants) {
    if (one.contestant.in_paper) order.push_back(&one);
  }
  std::sort(order.begin(), order.end(), [&](const Measured* a, const Measured* b) {
    return a->curve[point].mean > b->curve[point].mean;
  });
  std::string text;
  for (const Measured* one : order) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", one->contestant.name, percent(one->curve[point]));
  }
  return text + ".";
}

std::size_t last_point(const Part& part) {
  return part.after.size() - 1;
}
/// The point just before the first shift.
std::size_t first_shift(const Part& part) {
  return static_cast<std::size_t>(std::find(part.after.begin(), part.after.end(), switch_after) -
                                  part.after.begin());
}

bool is_best(const MeasuredGroup& group, std::string_view name, std::size_t point) {
  return best_of(group, point).contestant.name == name;
}

/// The paper's contestant with the best accuracy at the end, except the named one.
const Measured& best_besides(const MeasuredGroup& group, std::string_view name) {
  const Measured* best = nullptr;
  for (const Measured& one : group.contestants) {
    if (!one.contestant.in_paper || one.contestant.name == name) continue;
    if (best == nullptr || one.accuracy().mean > best->accuracy().mean) best = &one;
  }
  return *best;
}

Verdict at_rate(const Part& part, double rate, bool clearly) {
  const MeasuredGroup& group = part.at(rate);
  const std::size_t end = last_point(part);
  const Measured& lasec = named(group, "LASEC-SS");
  const double lead = standard_errors_between(lasec.accuracy(), best_besides(group, "LASEC-SS").accuracy());
  return {.holds = lead > clear_difference && (!clearly || clearly_best(group, lasec, end)),
          .claim = fmt::format(
              "Fig. 2({}): LASEC-SS is the best selective sampler on the {} at a rate of about {}{}.",
              rate == named_rates[0] ? "b" : "e", part.source, rate,
              clearly ? ", its 95% interval above all others" : ""),
          .found = standings(group, end),
          .tie = lead >= -clear_difference};
}

Verdict at_all_rates(const Part& part, std::string_view claim) {
  Verdict verdict{.holds = true, .claim = std::string(claim), .found = ""};
  double least_lead = std::numeric_limits<double>::infinity();  // in standard errors
  for (const MeasuredGroup& group : part.groups) {
    if (group.rate == every_label) continue;
    const Measured& lasec = named(group, "LASEC-SS");
    const Measured& other = best_besides(group, "LASEC-SS");
    least_lead = std::min(least_lead, standard_errors_between(lasec.accuracy(), other.accuracy()));
    verdict.found +=
        fmt::format("{}{} with {:.1f}% of the labels against {} of {} with {:.1f}%",
                    verdict.found.empty() ? "" : ", ", percent(lasec.accuracy()), 100 * lasec.share.mean,
                    percent(other.accuracy()), other.contestant.name, 100 * other.share.mean);
  }
  verdict.holds = least_lead > clear_difference;
  verdict.tie = least_lead >= -clear_difference;
  verdict.found = fmt::format("LASEC-SS against the best other sampler: {}; at least {}.", verdict.found,
                              standard_errors_text(least_lead));
  return verdict;
}

Verdict bbq_before_the_shift(const Part& part) {
  Verdict verdict{.holds = true, .claim = std::string(bbq_first), .found = ""};
  for (const double rate : named_rates) {
    const MeasuredGroup& group = part.at(rate);
    const std::size_t shift = first_shift(part);
    const Measured& bbq = named(group, "BBQ");
    verdict.holds = verdict.holds && is_best(group, "BBQ", shift) &&
                    bbq.accuracy().mean + bbq.accuracy().half_width < bbq.curve[shift].mean;
    verdict.found +=
        fmt::format("{}Rate {}, at round {}: {} BBQ at the end: {}.", verdict.found.empty() ? "" : " ", rate,
                    switch_after, standings(group, shift), percent(bbq.accuracy()));
  }
  return verdict;
}

/// Checks that the tuned Shifting and Budget Perceptrons are not above the Perceptron's interval.
Verdict tuned_are_perceptrons(const Part& part) {
  const MeasuredGroup& group = part.at(every_label);
  const Sample& perceptron = named(group, "Perceptron").accuracy();
  Verdict verdict{.holds = true,
                  .claim = std::string(reduced_to_perceptron),
                  .found = "Perceptron " + percent(perceptron)};
  for (const std::string_view name : {"Shifting, tuned", "Randomized Budget, tuned"}) {
    const Measured& one = named(group, name);
    verdict.holds = verdict.holds && one.accuracy().mean - one.accuracy().half_width <=
                                         perceptron.mean + perceptron.half_width;
    verdict.found += fmt::format(", {} {}", text_of(one.contestant.sampler.learner), percent(one.accuracy()));
  }
  verdict.found += ".";
  return verdict;
}

/// Checks that the intervals of LASEC and SOP are above the intervals of all Perceptrons.
Verdict second_order_first(const Part& part) {
  const MeasuredGroup& group = part.at(every_label);
  bool holds = true;
  for (const std::string_view name : {"LASEC", "SOP"}) {
    const Sample& own = named(group, name).accuracy();
    for (const Measured& one : group.contestants) {
      if (!one.contestant.in_paper || one.contestant.name == "LASEC" || one.contestant.name == "SOP")
        continue;
      holds = holds && own.mean - own.half_width > one.accuracy().mean + one.accuracy().half_width;
    }
  }
  return {
      .holds = holds, .claim = std::string(second_order_usps), .found = standings(group, last_point(part))};
}

Verdict lasec_before_sop(const Part& part) {
  const MeasuredGroup& group = part.at(every_label);
  const Sample& lasec = named(group, "LASEC").accuracy();
  const Sample& sop = named(group, "SOP").accuracy();
  const double lead = standard_errors_between(lasec, sop);
  return {
      .holds = lead > clear_difference,
      .claim = std::string(lasec_usps),
      .found = fmt::format("LASEC {}, SOP {}: {}.", percent(lasec), percent(sop), standard_errors_text(lead)),
      .tie = lead >= -clear_difference};
}

}  // namespace

std::vector<Verdict> verdicts_on_gaussian(const Part& part) {
  const MeasuredGroup& all_labels = part.at(every_label);
  const std::size_t end = last_point(part);
  return {at_rate(part, named_rates[0], false),
          at_rate(part, named_rates[1], true),
          at_all_rates(part, selective_gaussian),
          bbq_before_the_shift(part),
          {.holds = clearly_best(all_labels, named(all_labels, "LASEC"), end),
           .claim = std::string(supervised_gaussian),
           .found = standings(all_labels, end)},
          {.holds = is_best(all_labels, "SOP", first_shift(part)),
           .claim = std::string(sop_first),
           .found = standings(all_labels, first_shift(part))},
          tuned_are_perceptrons(part)};
}

std::vector<Verdict> verdicts_on_usps(const Part& part) {
  return {at_all_rates(part, selective_usps), second_order_first(part), lasec_before_sop(part),
          tuned_are_perceptrons(part)};
}

}  // namespace askfew::moroshko_2014

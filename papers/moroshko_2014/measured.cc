#include "papers/moroshko_2014/measured.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/trials/trial.h"

namespace askfew::moroshko_2014 {
namespace {

using nlohmann::json;

constexpr std::uint64_t point_every = 250;

/// Runs all contestants of a group on one repetition: their accuracies so far and shares of labels.
json run_group(const Source& source, const std::vector<Tuned>& group, std::uint64_t k,
               std::span<const std::uint64_t> after) {
  const Repetition as_read = source.draw(k, false);
  json results = json::array();
  for (const Tuned& contestant : group) {
    const bool unit_norms = learner_info(contestant.sampler.learner).unit_norm;
    const Repetition normalized = unit_norms ? source.draw(k, true) : Repetition{};
    const Repetition& repetition = unit_norms ? normalized : as_read;
    json accuracies;
    double share = 0;
    for (const Standing& standing :
         run_trial(repetition.data, repetition.rows, {.sampler = contestant.sampler, .seed = repetition.seed},
                   after)) {
      accuracies.push_back(standing.confusion.accuracy());
      share = standing.share();
    }
    results.push_back({{"share", share}, {"accuracy", accuracies}});
  }
  return results;
}

/// The mean and interval, over the repetitions, of the value that `value_of` finds in a result.
template <class F>
Sample over(std::span<const json> results, F&& value_of) {
  std::vector<double> values;
  for (const json& result : results) values.push_back(value_of(result).template get<double>());
  return sample_of(values);
}

Measured gathered(const Tuned& contestant, std::size_t place, std::size_t points,
                  std::span<const json> results) {
  Measured measured{.contestant = contestant,
                    .share = over(results, [&](const json& r) { return r[place]["share"]; }),
                    .curve = {}};
  for (std::size_t p = 0; p < points; ++p) {
    measured.curve.push_back(over(results, [&](const json& r) { return r[place]["accuracy"][p]; }));
  }
  return measured;
}

json json_of(const Sample& sample) {
  return {{"mean", sample.mean}, {"deviation", sample.deviation}, {"half_width", sample.half_width}};
}

}  // namespace

Part measure(const Source& source, const std::vector<Group>& groups, std::size_t repetitions,
             const ExperimentContext& context) {
  const std::vector<std::vector<Tuned>> tuned = tune(source, groups, context);
  Part part{.source = source.name, .repetitions = repetitions, .after = {}, .groups = {}};
  for (std::uint64_t round = point_every; round < source.rounds; round += point_every)
    part.after.push_back(round);
  part.after.push_back(source.rounds);

  std::vector<Job> jobs;
  for (const std::vector<Tuned>& group : tuned) {
    std::string settings;
    for (const Tuned& contestant : group) settings += "; " + settings_of(contestant.sampler);
    for (std::uint64_t k = 0; k < part.repetitions; ++k) {
      jobs.push_back(
          {.key = fmt::format("run {} repetition {} points {}{}", source.key, k, point_every, settings),
           .cost = 1,
           .work = [&, k] { return run_group(source, group, k, part.after); }});
    }
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto own = std::span(results).subspan(g * part.repetitions, part.repetitions);
    MeasuredGroup& group = part.groups.emplace_back(MeasuredGroup{.rate = groups[g].rate, .contestants = {}});
    for (std::size_t place = 0; place < tuned[g].size(); ++place) {
      group.contestants.push_back(gathered(tuned[g][place], place, part.after.size(), own));
    }
  }
  return part;
}

json json_of(const Part& part) {
  json all = {{"source", part.source}, {"repetitions", part.repetitions}, {"after", part.after}};
  for (const MeasuredGroup& group : part.groups) {
    for (const Measured& one : group.contestants) {
      json curve = json::array();
      for (const Sample& point : one.curve) curve.push_back(json_of(point));
      all["results"].push_back({{"rate", group.rate},
                                {"name", one.contestant.name},
                                {"in_paper", one.contestant.in_paper},
                                {"settings", settings_of(one.contestant.sampler)},
                                {"tuning",
                                 {{"accuracy", one.contestant.accuracy.mean},
                                  {"standard_error", one.contestant.accuracy.standard_error},
                                  {"ties", one.contestant.ties}}},
                                {"share", json_of(one.share)},
                                {"accuracy", json_of(one.accuracy())},
                                {"curve", curve}});
    }
  }
  return all;
}

const MeasuredGroup& Part::at(double rate) const {
  return *std::find_if(groups.begin(), groups.end(), [&](const MeasuredGroup& g) { return g.rate == rate; });
}

const Measured& named(const MeasuredGroup& group, std::string_view name) {
  return *std::find_if(group.contestants.begin(), group.contestants.end(),
                       [&](const Measured& one) { return one.contestant.name == name; });
}

const Measured& best_of(const MeasuredGroup& group, std::size_t point) {
  // A contestant that is not in the paper never wins, whatever its accuracy.
  return *std::max_element(group.contestants.begin(), group.contestants.end(),
                           [&](const Measured& a, const Measured& b) {
                             const bool in_a = a.contestant.in_paper;
                             const bool in_b = b.contestant.in_paper;
                             return in_a != in_b ? in_b : a.curve[point].mean < b.curve[point].mean;
                           });
}

bool clearly_best(const MeasuredGroup& group, const Measured& one, std::size_t point) {
  const Sample& own = one.curve[point];
  return std::all_of(group.contestants.begin(), group.contestants.end(), [&](const Measured& other) {
    const Sample& theirs = other.curve[point];
    return &other == &one || !other.contestant.in_paper ||
           own.mean - own.half_width > theirs.mean + theirs.half_width;
  });
}

}  // namespace askfew::moroshko_2014

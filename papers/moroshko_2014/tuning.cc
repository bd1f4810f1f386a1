#include "papers/moroshko_2014/tuning.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <nlohmann/json.hpp>

#include "askfew/trials/rate_search.h"
#include "askfew/trials/trial.h"

#include "papers/claim.h"

namespace askfew::moroshko_2014 {
namespace {

using nlohmann::json;

/// Draws the repetitions for tuning.
std::vector<Repetition> drawn_for_tuning(const Source& source) {
  std::vector<Repetition> all;
  for (std::uint64_t k = 0; k < source.to_judge; ++k) all.push_back(source.draw(tuning_from + k, false));
  return all;
}

/// Accuracies can only be compared at nearly equal shares of labels.
constexpr double close_to_rate = 0.005;

struct Results {
  double share = 0;  // the mean
  std::vector<double> accuracies;
};

Results results_over(std::span<const Repetition> repetitions, const SamplerConfig& sampler) {
  Results results;
  const auto count = static_cast<double>(repetitions.size());
  for (const Repetition& repetition : repetitions) {
    const Standing end =
        run_trial(repetition.data, repetition.rows, {.sampler = sampler, .seed = repetition.seed});
    results.share += end.share() / count;
    results.accuracies.push_back(end.confusion.accuracy());
  }
  return results;
}

/// Searches the scale of the rule at the rate, and measures the accuracy with this scale.
json try_out(std::span<const Repetition> to_turn, std::span<const Repetition> to_judge,
             const SamplerConfig& sampler, double rate) {
  SamplerConfig at_rate = sampler;
  if (rate < every_label) {
    const auto share_of = [&](const SamplerConfig& tried) { return results_over(to_turn, tried).share; };
    at_rate = find_rate(sampler, rate, share_of, close_to_rate).sampler;
  }
  const Results results = results_over(to_judge, at_rate);
  return {{"rule", at_rate.rule.params}, {"share", results.share}, {"accuracies", results.accuracies}};
}

/// A sampler that is tried for a contestant.
struct Candidate {
  std::size_t group = 0;
  std::size_t contestant = 0;
  SamplerConfig sampler;
};

std::vector<Candidate> candidates_of(const std::vector<Group>& groups) {
  std::vector<Candidate> all;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < groups[g].contestants.size(); ++k) {
      const Contestant& contestant = groups[g].contestants[k];
      for (const std::string& learner : contestant.learners) {
        SamplerConfig sampler{.learner = parse_learner(learner), .rule = parse_rule(contestant.rule)};
        sampler.update = standard_policy(sampler.learner);
        all.push_back({.group = g, .contestant = k, .sampler = sampler});
      }
    }
  }
  return all;
}

}  // namespace

std::string settings_of(const SamplerConfig& sampler) {
  return fmt::format("{} + {}", text_of(sampler.learner), text_of(sampler.rule));
}

std::vector<Group> groups_of(const Source& source, bool quick) {
  std::vector<Group> groups{{.contestants = supervised(source.kind, quick)}};
  const std::vector<double> rates = quick ? std::vector<double>(named_rates.begin(), named_rates.end())
                                          : std::vector<double>{0.05, 0.1, 0.2, 0.4, 0.7};
  for (const double rate : rates)
    groups.push_back({.rate = rate, .contestants = selective(source.kind, quick)});
  return groups;
}

std::vector<std::vector<Tuned>> tune(const Source& source, const std::vector<Group>& groups,
                                     const ExperimentContext& context) {
  const std::vector<Candidate> candidates = candidates_of(groups);
  const std::vector<Repetition> repetitions = drawn_for_tuning(source);
  const auto to_turn = std::span(repetitions).first(source.to_turn);
  std::vector<Job> jobs;
  std::vector<std::size_t> candidate_of;  // by job
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    const Group& group = groups[candidate.group];
    const bool has_scale = group.rate < every_label;
    // There is nothing to choose and no scale to search.
    if (!has_scale && group.contestants[candidate.contestant].learners.size() == 1) continue;
    candidate_of.push_back(c);
    jobs.push_back(
        {.key = fmt::format("tune each {} repetitions {} {} {} rate {} within {}", source.key, source.to_turn,
                            source.to_judge, settings_of(candidate.sampler), group.rate, close_to_rate),
         .cost = has_scale ? 10.0 : 1.0,
         .work = [&] { return try_out(to_turn, repetitions, candidate.sampler, group.rate); }});
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);

  std::vector<std::vector<Tuned>> tuned;
  for (const Group& group : groups) tuned.emplace_back(group.contestants.size());
  for (const Candidate& candidate : candidates) {
    const Contestant& contestant = groups[candidate.group].contestants[candidate.contestant];
    tuned[candidate.group][candidate.contestant] = {
        .name = contestant.name, .in_paper = contestant.in_paper, .sampler = candidate.sampler};
  }
  const auto accuracies_of = [&](std::size_t job) {
    return results[job].at("accuracies").get<std::vector<double>>();
  };
  std::map<Tuned*, std::vector<std::size_t>> tried;  // the jobs of each contestant
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const Candidate& candidate = candidates[candidate_of[j]];
    tried[&tuned[candidate.group][candidate.contestant]].push_back(j);
  }
  for (auto& [one, its_jobs] : tried) {
    const std::size_t best = *std::ranges::max_element(
        its_jobs, {}, [&](std::size_t job) { return sample_of(accuracies_of(job)).mean; });
    one->sampler = candidates[candidate_of[best]].sampler;
    one->sampler.rule.params = results[best].at("rule").get<std::map<std::string, double>>();
    one->accuracy = sample_of(accuracies_of(best));
    for (const std::size_t job : its_jobs) {
      if (job == best || !is_tie(accuracies_of(best), accuracies_of(job))) continue;
      one->ties.push_back(text_of(candidates[candidate_of[job]].sampler.learner));
    }
  }
  return tuned;
}

bool is_tie(std::span<const double> accuracies, std::span<const double> others) {
  std::vector<double> differences;
  for (std::size_t k = 0; k < accuracies.size(); ++k) differences.push_back(accuracies[k] - others[k]);
  const Sample difference = sample_of(differences);
  return std::abs(difference.mean) <= clear_difference * difference.standard_error;
}

}  // namespace askfew::moroshko_2014

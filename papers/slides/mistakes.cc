#include "papers/slides/mistakes.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/math/elementary.h"
#include "askfew/theory/bounds.h"

#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

using nlohmann::json;

/// The bound on the mistakes of a run. The bound of the second-order Perceptron uses the run itself: with m
/// updates, |A| <= (1 + m/d)^d.
double bound_of(std::size_t update, const SeparableStream& stream, const Played& played) {
  const Comparator u{.norm = stream.norm, .gamma = 1, .loss = 0, .longest = 1};
  const auto d = static_cast<double>(stream.dimension);
  const double error = std::sqrt(1.0 / 20);  // of a centre estimated as the mean of 20 points per dimension
  switch (update) {
    case 0:
      return perceptron_bound(u);
    case 1:
      return hildreth_bound(u);
    case 2:
      return second_order_bound({.gamma = 1,
                                 .loss = 0,
                                 .size = stream.norm * stream.norm + played.squares,
                                 .information = d * math::log1p(played.updates / d)});
    case 3:
      return ellipsoid_bound(u, stream.dimension);
    case 4:
      return volumetric_center_bound(u, stream.dimension);
    default:
      return gravity_center_bound(u, stream.dimension, error);
  }
}

struct MistakesPlan {
  std::vector<SeparableStream> streams;  ///< with the first seed
  std::uint64_t seeds = 1;
  std::uint64_t rounds = 2000;  ///< of a stream drawn by chance
};

MistakesPlan mistakes_plan(bool quick) {
  MistakesPlan plan{.streams = {}, .seeds = quick ? 2U : 10U, .rounds = quick ? 500U : 5000U};
  const std::vector<double> norms =
      quick ? std::vector<double>{3, 10, 30} : std::vector<double>{3, 10, 30, 100, 300};
  for (const Chooser chooser : {Chooser::adversary, Chooser::chance}) {
    for (const std::size_t d : quick ? std::vector<std::size_t>{5} : std::vector<std::size_t>{5, 10, 20}) {
      for (const double norm : norms)
        plan.streams.push_back({.chooser = chooser, .dimension = d, .norm = norm});
    }
  }
  return plan;
}

json played_by(const Update& update, const SeparableStream& stream, std::uint64_t rounds) {
  SamplerConfig learner = supervised(update.learner);
  if (update.knows_norm) learner.learner.params["U"] = stream.norm;
  const Played played = play(learner, stream, rounds);
  return {{"mistakes", played.mistakes}, {"updates", played.updates}, {"squares", played.squares}};
}

}  // namespace

std::string_view text_of(Chooser chooser) {
  return chooser == Chooser::chance ? "chance" : "adversary";
}

std::vector<Row> measure_mistakes(const ExperimentContext& context) {
  const MistakesPlan plan = mistakes_plan(context.quick);
  std::vector<Job> jobs;
  for (const SeparableStream& kind : plan.streams) {
    for (const Update& update : updates) {
      for (std::uint64_t k = 0; k < plan.seeds; ++k) {
        SeparableStream stream = kind;
        stream.seed = context.seed * 1000 + k;
        jobs.push_back(
            {.key = fmt::format("mistakes {} d {} U {} seed {} rounds {} {}", text_of(stream.chooser),
                                stream.dimension, stream.norm, stream.seed, plan.rounds, update.learner),
             .cost = update.learner == "gravity-center" ? static_cast<double>(stream.dimension) : 1.0,
             .work = [&update, stream, rounds = plan.rounds] { return played_by(update, stream, rounds); }});
      }
    }
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  std::vector<Row> rows;
  std::size_t next = 0;
  for (const SeparableStream& kind : plan.streams) {
    Row& row = rows.emplace_back(Row{.stream = kind, .cells = {}});
    for (std::size_t u = 0; u < updates.size(); ++u) {
      Cell& cell = row.cells.emplace_back();
      std::vector<double> mistakes;
      for (std::uint64_t k = 0; k < plan.seeds; ++k, ++next) {
        const Played played{.mistakes = results[next].at("mistakes").get<double>(),
                            .updates = results[next].at("updates").get<double>(),
                            .squares = results[next].at("squares").get<double>()};
        const double bound = bound_of(u, kind, played);
        mistakes.push_back(played.mistakes);
        cell.bound += bound / static_cast<double>(plan.seeds);
        cell.worst_share = std::max(cell.worst_share, played.mistakes / bound);
      }
      cell.mistakes = sample_of(mistakes);
    }
  }
  return rows;
}

}  // namespace askfew::slides

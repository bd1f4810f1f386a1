#include "papers/cavallanti_2008/topics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/theory/linear_svm.h"
#include "askfew/trials/trial.h"

namespace askfew::cavallanti_2008 {
namespace {

using nlohmann::json;

double svm_norm(const Dataset& data, std::size_t task) {
  std::vector<FeatureView> x;
  std::vector<Label> y;
  for (std::size_t row = 0; row < data.size(); ++row) {
    x.push_back(data.x(row));
    y.push_back(data.label(row, task));
  }
  const LinearSvm svm = fit_linear_svm(x, y, {.c = 1, .tolerance = 1e-2});
  double squares = 0;
  for (const double w : svm.w) squares += w * w;
  return std::sqrt(squares);
}

/// The predictions that are in the first confusion and not yet in the second.
Confusion difference(const Confusion& all, const Confusion& before) {
  return {.true_positives = all.true_positives - before.true_positives,
          .false_positives = all.false_positives - before.false_positives,
          .true_negatives = all.true_negatives - before.true_negatives,
          .false_negatives = all.false_negatives - before.false_negatives};
}

json measured(const Dataset& data, const SamplerConfig& sampler, std::size_t task, std::uint64_t seed) {
  const std::array<std::uint64_t, 2> after{data.size() / 2, data.size()};
  const std::vector<Standing> standings =
      run_trial(data, in_order(data.size()), {.sampler = sampler, .seed = seed, .task = task}, after);
  const Standing& end = standings.back();
  return {{"positives", data.positives(task)},
          {"stored", static_cast<double>(end.updates) / static_cast<double>(end.rounds)},
          {"asked", end.share()},
          {"f1", end.confusion.f1()},
          {"late_f1", difference(end.confusion, standings.front().confusion).f1()},
          {"norm", svm_norm(data, task)}};
}

std::vector<double> column(const std::vector<OneTopic>& topics, double OneTopic::*member) {
  std::vector<double> values;
  for (const OneTopic& topic : topics) values.push_back(topic.*member);
  return values;
}

Series line(const char* title, const std::vector<OneTopic>& topics, double OneTopic::*member, double factor) {
  Series series{.title = title};
  for (std::size_t k = 0; k < topics.size(); ++k) {
    series.x.push_back(static_cast<double>(k + 1));
    series.y.push_back(factor * topics[k].*member);
  }
  return series;
}

}  // namespace

std::vector<OneTopic> measure_topics(const TextSet& set, double rate, const ExperimentContext& context) {
  const json found = run_jobs({at_rate_job(set, "ssmd", rate, 1, context.seed)}, context.jobs).front();
  SamplerConfig sampler = parse_preset("ssmd");
  const double c = text_point_of(found).scale;
  sampler.rule.params["c"] = c;
  std::vector<Job> jobs;
  for (std::size_t task = 0; task < set.topics.names.size(); ++task) {
    jobs.push_back({.key = fmt::format("{} | ssmd c {}, also its last half, and svm on topic {} seed {}",
                                       set.key, c, task, context.seed),
                    .work = [&set, sampler, task, &context] {
                      return measured(set.topics.data, sampler, task, context.seed);
                    }});
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  std::vector<OneTopic> topics;
  for (std::size_t task = 0; task < results.size(); ++task) {
    const json& result = results[task];
    topics.push_back({.name = set.topics.names[task],
                      .positives = result.at("positives").get<double>(),
                      .stored = result.at("stored").get<double>(),
                      .asked = result.at("asked").get<double>(),
                      .f1 = result.at("f1").get<double>(),
                      .late_f1 = result.at("late_f1").get<double>(),
                      .norm = result.at("norm").get<double>()});
  }
  // The names are sorted by their frequency in the whole collection; a quick run sees only its beginning.
  std::stable_sort(topics.begin(), topics.end(),
                   [](const OneTopic& a, const OneTopic& b) { return a.positives > b.positives; });
  return topics;
}

std::vector<Verdict> verdicts_of(const std::vector<OneTopic>& topics) {
  const std::vector<double> norm = column(topics, &OneTopic::norm);
  const std::vector<double> positives = column(topics, &OneTopic::positives);
  const double stored = rank_correlation(column(topics, &OneTopic::stored), norm);
  const double asked_norm = rank_correlation(column(topics, &OneTopic::asked), norm);
  const double asked = rank_correlation(column(topics, &OneTopic::asked), positives);
  const double f1 = rank_correlation(column(topics, &OneTopic::f1), positives);
  const double late_f1 = rank_correlation(column(topics, &OneTopic::late_f1), positives);
  const std::string of = fmt::format("rank correlation over {} topics", topics.size());
  return {
      {.holds = stored > 0.5,
       .claim = "SSMD stores more examples where the norm of the SVM's weights is larger (rank correlation "
                "above 0.5).",
       .found = fmt::format("{:.2f}: {}", stored, of)},
      {.holds = asked_norm > 0.5,
       .claim = "SSMD asks for more labels where the norm of the SVM's weights is larger (rank correlation "
                "above 0.5).",
       .found = fmt::format("{:.2f}: {}", asked_norm, of)},
      {.holds = asked < -0.3,
       .claim = "SSMD asks for more labels of rarer topics (rank correlation with the number of positive "
                "examples below -0.3).",
       .found = fmt::format("{:.2f}: {}", asked, of)},
      {.holds = std::abs(f1) < 0.3,
       .claim =
           "F is fairly independent of the number of positive examples (rank correlation within 0.3 of 0).",
       .found = fmt::format("{:.2f}: {}. On the last half of the stories, when rare topics have been seen: "
                            "{:.2f}.",
                            f1, of, late_f1)}};
}

void show(Page& page, const std::vector<OneTopic>& topics) {
  const Axis x{.title = "topic, from frequent to rare"};
  double largest_norm = 0;
  double largest_stored = 0;
  for (const OneTopic& topic : topics) {
    largest_norm = std::max(largest_norm, topic.norm);
    largest_stored = std::max(largest_stored, topic.stored);
  }
  page.figure(
      {.title = "Reuters-21578, SSMD",
       .x = x,
       .y = {.title = "relative to the largest"},
       .series = {line("stored", topics, &OneTopic::stored, 1 / largest_stored),
                  line("norm of the SVM", topics, &OneTopic::norm, 1 / largest_norm)}},
      fmt::format(
          "Figure 3, left: the share of examples that SSMD stores (at most {:.2f}%) and the norm of a "
          "linear SVM's weights (at most {:.1f}).",
          100 * largest_stored, largest_norm));
  page.figure(
      {.title = "Reuters-21578, SSMD",
       .x = x,
       .y = {.title = "F, share"},
       .series = {line("F", topics, &OneTopic::f1, 1), line("F, last half", topics, &OneTopic::late_f1, 1),
                  line("labels asked", topics, &OneTopic::asked, 1)}},
      "Figure 3, right: F and the share of labels that SSMD asks for. A rare topic has few stories to learn "
      "from at the beginning, which F on the last half leaves out.");
  Table table{
      .caption = "The topics of Figure 3.",
      .columns = {"topic", "stories", "labels asked", "stored", "F", "F, last half", "norm of the SVM"}};
  for (const OneTopic& topic : topics) {
    table.rows.push_back({topic.name, fmt::format("{:.0f}", topic.positives),
                          fmt::format("{:.2f}%", 100 * topic.asked),
                          fmt::format("{:.2f}%", 100 * topic.stored), fmt::format("{:.3f}", topic.f1),
                          fmt::format("{:.3f}", topic.late_f1), fmt::format("{:.1f}", topic.norm)});
  }
  page.table(table);
}

json json_of(const std::vector<OneTopic>& topics) {
  json all = json::array();
  for (const OneTopic& topic : topics) {
    all.push_back({{"topic", topic.name},
                   {"positives", topic.positives},
                   {"stored", topic.stored},
                   {"asked", topic.asked},
                   {"f1", topic.f1},
                   {"late_f1", topic.late_f1},
                   {"norm", topic.norm}});
  }
  return all;
}

}  // namespace askfew::cavallanti_2008

#include "papers/second_order/experiment.h"

#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/trials/trial.h"

#include "papers/claim.h"
#include "papers/rcv1_stories.h"
#include "papers/second_order/choices.h"
#include "papers/text_points.h"

namespace askfew::second_order {
namespace {

using nlohmann::json;

/// Stories that are read with any choice.
struct Stories {
  std::string name;
  std::function<Topics(const Choice&)> read;
};

Stories reuters(const ExperimentContext& context) {
  return {.name = "Reuters-21578", .read = [&context](const Choice& choice) {
            return read_labels(unpacked_reuters(context),
                               {.features = choice.features,
                                .reuters = {.with_topics = true},
                                .order = choice.order == StoryOrder::of_the_file ? Order::file : Order::time,
                                .threads = 1},
                               choice.topics, choice.most, choice.known_idf);
          }};
}

Stories rcv1(const ExperimentContext& context, int subset) {
  return {.name = fmt::format("RCV1 subset {}", subset), .read = [&context, subset](const Choice& choice) {
            return read_labels(rcv1_files(context, subset), {.features = choice.features, .threads = 1},
                               choice.topics, choice.most, choice.known_idf);
          }};
}

/// The papers' stories; the path is that of their file.
Stories rcv1_in_time(const std::string& path) {
  return {.name = "RCV1", .read = [path](const Choice& choice) {
            const std::vector<std::string> paths{path};
            return read_labels(paths, {.features = choice.features, .threads = 1}, choice.topics,
                               choice.most);
          }};
}

/// The F of each topic with all labels asked.
std::vector<double> f1_of_topics(const Dataset& data, std::span<const std::uint32_t> rows,
                                 const std::string& preset, std::uint64_t seed) {
  std::vector<double> all;
  for (std::size_t task = 0; task < data.tasks(); ++task) {
    const Trial trial{.sampler = parse_preset(preset), .seed = seed, .task = task};
    all.push_back(run_trial(data, rows, trial).confusion.f1());
  }
  return all;
}

json measured(const Stories& stories, const Choice& choice, std::uint64_t seed) {
  const Dataset data = stories.read(choice).data;
  const std::vector<std::uint32_t> rows =
      choice.order == StoryOrder::random ? shuffled(data.size(), seed, 0) : in_order(data.size());
  return {{"first", f1_of_topics(data, rows, "perc", seed)},
          {"second", f1_of_topics(data, rows, fmt::format("sop:a={}", choice.a), seed)}};
}

/// The two learners on the same topics.
struct Compared {
  Sample first;
  Sample second;
  Sample difference;
  std::size_t topics = 0;
  std::size_t won = 0;  ///< topics on which the second order has the larger F
};
Compared compared(const json& result) {
  const auto first = result.at("first").get<std::vector<double>>();
  const auto second = result.at("second").get<std::vector<double>>();
  std::vector<double> differences;
  std::size_t won = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    differences.push_back(second[k] - first[k]);
    if (differences.back() > 0) ++won;
  }
  return {.first = sample_of(first),
          .second = sample_of(second),
          .difference = sample_of(differences),
          .topics = first.size(),
          .won = won};
}

Verdict verdict_of(const Stories& stories, const Choice& choice, const Compared& found) {
  const Sample& lead = found.difference;
  const double clear = clear_difference * lead.standard_error;
  return {.holds = lead.mean > clear,
          .claim = fmt::format("{}, {}: the second order has a larger F than the first, all labels asked.",
                               stories.name, choice.what),
          .found = fmt::format("{:.3f} against {:.3f}, {:+.3f} (standard error {:.3f}), larger on {} of {} "
                               "topics.",
                               found.second.mean, found.first.mean, lead.mean, lead.standard_error, found.won,
                               found.topics),
          .tie = lead.mean >= -clear};
}

Job job_of(const Stories& stories, const Choice& choice, std::uint64_t seed) {
  return {.key = fmt::format("{} | {} | topics {} seed {}", stories.name, choice.what, choice.topics, seed),
          .cost = static_cast<double>(choice.topics),
          .work = [&stories, &choice, seed] { return measured(stories, choice, seed); }};
}

void compare_on(const Stories& stories, const std::vector<Choice>& choices, const ExperimentContext& context,
                ExperimentReport& report) {
  std::vector<Job> jobs;
  for (const Choice& choice : choices) jobs.push_back(job_of(stories, choice, context.seed));
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  Table table{.caption = fmt::format("{}: F with all labels, mean over the topics", stories.name),
              .columns = {"what differs from the first line", "first order", "second order", "difference",
                          "larger on"}};
  for (std::size_t k = 0; k < choices.size(); ++k) {
    const Compared found = compared(results[k]);
    report.page.verdict(verdict_of(stories, choices[k], found));
    table.rows.push_back(
        {choices[k].what, fmt::format("{:.3f}", found.first.mean), fmt::format("{:.3f}", found.second.mean),
         fmt::format("{:+.3f} ± {:.3f}", found.difference.mean, found.difference.standard_error),
         fmt::format("{} of {}", found.won, found.topics)});
    report.figures["sets"][stories.name].push_back({{"what", choices[k].what},
                                                    {"topics", found.topics},
                                                    {"first", found.first.mean},
                                                    {"second", found.second.mean},
                                                    {"difference", found.difference.mean},
                                                    {"standard_error", found.difference.standard_error},
                                                    {"won", found.won}});
  }
  report.page.table(table);
}

/// SEL-2ND against SEL-P at equal shares of the labels, where stories have their words as they are.
void compare_selective(const ExperimentContext& context, ExperimentReport& report) {
  constexpr std::array rates{0.1, 0.3, 0.6};
  const std::size_t runs = context.quick ? 2 : 3;
  const TextSet set =
      reuters_set(context, {.name = "words as they are, constant 0.2", .options = plain_words()},
                  context.quick ? 3 : 10, context.quick ? 2000 : 0);
  std::vector<Job> jobs;
  for (const double rate : rates) {
    for (const char* preset : {"sel-p", "sel-2nd"})
      jobs.push_back(at_rate_job(set, preset, rate, runs, context.seed));
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  Claim claim("words as they are: SEL-2ND has a larger F than SEL-P at the same share of labels.");
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const TextPoint first = text_point_of(results[2 * k]);
    const TextPoint second = text_point_of(results[2 * k + 1]);
    const double lead = standard_errors_between(second.f1, first.f1);
    claim.add(
        fmt::format("Reuters-21578, {:.0f}% of the labels", 100 * rates[k]), lead > clear_difference,
        fmt::format("{:.3f} against {:.3f}, {}", second.f1.mean, first.f1.mean, standard_errors_text(lead)),
        lead >= -clear_difference);
  }
  for (const Verdict& verdict : claim.verdicts()) report.page.verdict(verdict);
}

std::vector<Choice> smaller(std::vector<Choice> choices, bool quick) {
  for (Choice& choice : choices) {
    if (quick) choice.topics = 3, choice.most = 2000;
  }
  return choices;
}

}  // namespace

ExperimentReport run(const ExperimentContext& context) {
  ExperimentReport report{.page = Page(std::string(title)), .figures = {}};
  report.page.paragraph(
      "The 2006 paper finds that the second-order Perceptron beats the Perceptron on RCV1. With the features "
      "of "
      "cbgz-2006 it does not here, even if all labels are asked. This page changes one choice after another. "
      "F "
      "counts every story and is averaged over the topics; a difference is called a tie if it is at most two "
      "standard errors over the topics. The topics share the stories, so that the standard errors are a "
      "guide "
      "only.");
  compare_on(reuters(context), smaller(reuters_choices(context.quick), context.quick), context, report);
  for (int subset = 1; subset <= (context.quick ? 1 : 3); ++subset) {
    compare_on(rcv1(context, subset), smaller(rcv1_choices(context.quick), context.quick), context, report);
  }
  if (const std::string path = rcv1_stories_path(context.data); !path.empty()) {
    compare_on(rcv1_in_time(path), smaller(rcv1_in_time_choices(), context.quick), context, report);
  }
  compare_selective(context, report);
  for (const Verdict& verdict : report.page.verdicts())
    report.figures["verdicts"].push_back(json_of(verdict));
  return report;
}

}  // namespace askfew::second_order

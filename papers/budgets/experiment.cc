#include "papers/budgets/experiment.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/version.h"
#include "askfew/trials/compare_samplers.h"

#include "papers/budgets/streams.h"
#include "papers/claim.h"

namespace askfew::budgets {
namespace {

using nlohmann::json;

const std::vector<double> shares{0.01, 0.02, 0.05, 0.1, 0.2};
const std::string standard = "auto";
const std::string control = "auto's learner, at random";

/// The presets whose rule has a scale; each pair of learner and rule once. Presets that need instances of
/// norm 1 are left out, because these instances have other norms.
std::vector<NamedSampler> contestants() {
  std::vector<NamedSampler> all{{standard, parse_preset(standard)}, {control, parse_preset(standard)}};
  all[1].config.rule = parse_rule("random");
  const std::vector<RuleEntry> rules = rule_entries();
  for (const PresetEntry& preset : preset_entries()) {
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const RuleEntry& entry) {
      return entry.info.name == preset.config.rule.name;
    });
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const NamedSampler& other) { return other.config == preset.config; });
    if (rule->info.scale.empty() || known || learner_info(preset.config.learner).unit_norm) continue;
    all.push_back({preset.name, preset.config});
  }
  return all;
}

/// One sampler with one budget on one stream: means over the runs.
struct Cell {
  double f1 = 0;
  double least_spent = 0;  ///< labels asked / labels of the budget
  double max_spent = 0;
};

json measure(const Dataset& data, const SamplerConfig& sampler, double share, std::size_t runs,
             std::uint64_t seed) {
  SamplerConfig config = sampler;
  config.spending.budget = {.kind = LabelBudget::Kind::share, .amount = share, .horizon = data.size()};
  const double labels = std::floor(labels_in(share, static_cast<double>(data.size())));
  Cell cell{.least_spent = 1e9};
  const std::vector<std::uint32_t> rows = in_order(data.size());
  for (std::uint64_t k = 0; k < runs; ++k) {
    for (std::size_t task = 0; task < data.tasks(); ++task) {
      const Standing end = run_trial(data, rows, {.sampler = config, .seed = seed + k, .task = task});
      cell.f1 += end.confusion.f1() / static_cast<double>(runs * data.tasks());
      const double spent = static_cast<double>(end.asked) / labels;
      cell.least_spent = std::min(cell.least_spent, spent);
      cell.max_spent = std::max(cell.max_spent, spent);
    }
  }
  return {{"f1", cell.f1}, {"least_spent", cell.least_spent}, {"max_spent", cell.max_spent}};
}

struct Results {
  const std::vector<Source>& sources;
  const std::vector<NamedSampler>& samplers;
  const std::vector<json>& cells;  // ordered by source, then sampler, then share

  [[nodiscard]] const json& at(std::size_t source, std::size_t sampler, std::size_t share) const {
    return cells[(source * samplers.size() + sampler) * shares.size() + share];
  }
  [[nodiscard]] double f1(std::size_t source, std::size_t sampler, std::size_t share) const {
    return at(source, sampler, share).at("f1").get<double>();
  }
};

Table table_of(const Results& results, std::size_t source) {
  const Dataset& data = results.sources[source].data;
  Table table{.caption = fmt::format("F, the mean over tasks and runs: {} rounds, {} features", data.size(),
                                     data.dimension()),
              .columns = {"preset"}};
  for (const double share : shares) table.columns.push_back(fmt::format("{:.0f}%", 100 * share));
  for (std::size_t k = 0; k < results.samplers.size(); ++k) {
    std::vector<std::string> row{results.samplers[k].name};
    for (std::size_t s = 0; s < shares.size(); ++s)
      row.push_back(fmt::format("{:.3f}", results.f1(source, k, s)));
    table.rows.push_back(row);
  }
  return table;
}

void judge(const Results& results, std::size_t source, Claim& near_best, Claim& above_random) {
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const std::string set = fmt::format("{} at {:.0f}%", results.sources[source].name, 100 * shares[s]);
    const double own = results.f1(source, 0, s);
    std::size_t best = 2;
    for (std::size_t k = 3; k < results.samplers.size(); ++k) {
      if (results.f1(source, k, s) > results.f1(source, best, s)) best = k;
    }
    near_best.add(set, own >= 0.95 * results.f1(source, best, s),
                  fmt::format("{:.3f} against {:.3f} of {}", own, results.f1(source, best, s),
                              results.samplers[best].name));
    above_random.add(set, own > results.f1(source, 1, s),
                     fmt::format("{:.3f} against {:.3f}", own, results.f1(source, 1, s)));
  }
}

/// Compares the labels that all runs spent with their budgets.
Verdict spending(const Results& results) {
  double least = 1;
  double most = 0;
  std::string where;
  for (std::size_t source = 0; source < results.sources.size(); ++source) {
    for (std::size_t k = 0; k < results.samplers.size(); ++k) {
      for (std::size_t s = 0; s < shares.size(); ++s) {
        const json& cell = results.at(source, k, s);
        most = std::max(most, cell.at("max_spent").get<double>());
        if (cell.at("least_spent").get<double>() >= least) continue;
        least = cell.at("least_spent").get<double>();
        where = fmt::format("{} on {} at {:.0f}%", results.samplers[k].name, results.sources[source].name,
                            100 * shares[s]);
      }
    }
  }
  return {.holds = least >= 0.97 && most <= 1,
          .claim = "Every run of every preset spends between 97% and 100% of its budget, in whole labels.",
          .found = fmt::format("{:.1f}% ({}) to {:.1f}%", 100 * least, where, 100 * most)};
}

}  // namespace

ExperimentReport run(const ExperimentContext& context) {
  std::string missing;
  const std::vector<Source> sources = all_sources(context, missing);
  const std::vector<NamedSampler> samplers = contestants();
  const std::size_t runs = context.quick ? 1 : 5;
  std::vector<Job> jobs;
  for (const Source& source : sources) {
    for (const NamedSampler& sampler : samplers) {
      for (const double share : shares) {
        jobs.push_back({.key = fmt::format("budgets {} n={} {} {} runs={} seed={}", source.name,
                                           source.data.size(), sampler.name, share, runs, context.seed),
                        .cost = static_cast<double>(source.data.size()) * (1 + 10 * share),
                        .work = [&source, &sampler, share, runs, &context] {
                          return measure(source.data, sampler.config, share, runs, context.seed);
                        }});
      }
    }
  }
  const std::vector<json> cells = run_jobs(jobs, context.jobs);
  const Results results{.sources = sources, .samplers = samplers, .cells = cells};

  ExperimentReport report{.page = Page(std::string(title)), .figures = {}};
  Claim near_best("The F of the default is within 5% of the F of the best preset with the same budget.");
  Claim above_random("The F of the default is above the F of the same learners asking at random.");
  for (std::size_t source = 0; source < sources.size(); ++source)
    judge(results, source, near_best, above_random);
  if (!sources.empty()) {
    for (const Verdict& verdict : {spending(results), near_best.verdict(), above_random.verdict()}) {
      report.page.verdict(verdict);
      report.figures["verdicts"].push_back(
          {{"holds", verdict.holds}, {"claim", verdict.claim}, {"found", verdict.found}});
    }
  }
  report.page.heading("How it was measured");
  report.page.paragraph(
      "The experiment runs every preset whose rule has a scale. The scale is adjusted during the run so that "
      "the budget is spent. Every data set is read as `askfew run` reads it, in the order of its "
      "file. Presets that need instances of norm 1 are left out. The best preset is the best in hindsight, "
      "chosen separately for each data set and each budget; the default is the same everywhere and knows "
      "nothing about the data set.");
  for (std::size_t source = 0; source < sources.size(); ++source) {
    report.page.heading(sources[source].name);
    const Table table = table_of(results, source);
    report.page.table(table);
    report.figures["tables"].push_back({{"set", sources[source].name}, {"csv", csv_of(table)}});
  }
  if (!missing.empty()) {
    report.page.paragraph("Left out: " + missing);
    report.figures["left_out"] = missing;
  }
  return report;
}

}  // namespace askfew::budgets

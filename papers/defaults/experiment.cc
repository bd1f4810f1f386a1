#include "papers/defaults/experiment.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>

#include "papers/defaults/judge.h"
#include "papers/defaults/small_budgets.h"
#include "papers/defaults/written.h"

namespace askfew::defaults {
namespace {

using nlohmann::json;

const std::string standard = "auto";
const std::string aimed = "auto, aimed at F";
const std::string aimed_before = "auto, aimed at F as in earlier versions";
const std::string control = "auto's learner, at random";

/// The default, its learner at random, and presets whose rule has a scale, each pair once; those that need
/// instances of norm 1 are left out, since these are not.
std::vector<NamedSampler> contestants() {
  std::vector<NamedSampler> all{{standard, parse_preset(standard)}, {control, parse_preset(standard)}};
  all[1].config.rule = parse_rule("random");
  const std::vector<RuleEntry>& rules = rule_entries();
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

/// The default with one of its constants changed.
std::vector<NamedSampler> candidates() {
  std::vector<NamedSampler> all;
  for (const std::string change :
       {"prior=7", "prior=30", "decay=0.3", "decay=0.75", "floor=0.3", "floor=3", "constant=0.1",
        "constant=1", "full=0", "full_prior=15", "full_prior=60", "full_constant=0.2", "full_constant=1",
        "norm=0.5", "norm=1", "rare=0", "rare=1"}) {
    const std::string name = standard + ":" + change;
    all.push_back({name, parse_preset(name)});
  }
  return all;
}

/// The default with one of its parts left out or replaced.
std::vector<NamedSampler> changed_parts() {
  const SamplerConfig whole = parse_preset(standard);
  const auto but = [](const std::string& change) {
    return text_of(parse_preset(standard + ":" + change).learner);
  };
  const auto with = [&](const std::string& name, const std::string& learner, const std::string& rule) {
    NamedSampler sampler{"auto, " + name, whole};
    if (!learner.empty()) sampler.config.learner = parse_learner(learner);
    if (!rule.empty()) sampler.config.rule = parse_rule(rule);
    sampler.config.update = standard_policy(sampler.config.learner);
    return sampler;
  };
  NamedSampler even = with("even plan", "", "");
  even.config.spending.budget.plan = LabelBudget::Plan::even;
  return {with("without the scaler", "logistic", ""),
          with("without full covariance", but("full=0"), ""),
          with("without the constant", but("constant=0,full_constant=0"), ""),
          with("every instance with norm 1", but("norm=1"), ""),
          with("rare features as large as others", but("rare=0"), ""),
          with("a drift that stays, and idf in full (grow=3)", but("grow=3"), ""),
          with("also, features that come once count (grow=2)", but("grow=2"), ""),
          with("also, the last feature as their number (grow=1)", but("grow=1"), ""),
          with("also, the number of features given (grow=0)", but("grow=0"), ""),
          with("margins without their deviation", "", "threshold:k=1000000000"),
          with("pa-1 in place of the learner", "pa-1", ""),
          even};
}

/// On a variant of a set only these run beside the default: the others cost most of the time, and are seldom
/// the best.
bool runs_on(const std::string& sampler, const Variant& variant) {
  if (sampler.starts_with(standard + ":") || (sampler.starts_with(standard + ", ") && sampler != aimed))
    return is_chosen_on(variant);
  constexpr std::array some{"auto",   "auto, aimed at F", "auto's learner, at random",
                            "pa-log", "arow-log",         "dgs"};
  if (variant.name != as_read && sampler == "dgs" && variant.data->dimension() > 2000) return false;  // slow
  return variant.name == as_read || std::find(some.begin(), some.end(), sampler) != some.end();
}

/// At some scales the numbers of a learner overflow: that is a finding, not the end of the experiment.
json measure_or_fail(const Variant& variant, const NamedSampler& sampler, double share, std::size_t runs,
                     std::uint64_t seed) {
  try {
    return measure(variant, sampler.config, share_of_labels(share), runs, seed);
  } catch (const NumericError& error) {
    return {{"failed", error.what()}};
  }
}

Measured measure_all(const ExperimentContext& context, std::vector<Variant> variants) {
  std::vector<NamedSampler> samplers = contestants();
  Measured measured{.variants = std::move(variants),
                    .samplers = {},
                    .shares = {0.01, 0.02, 0.05, 0.1, 0.2},
                    .cells = {},
                    .failed = {}};
  for (const NamedSampler& sampler : samplers) measured.samplers.push_back(sampler.name);
  samplers.push_back({aimed, parse_preset(standard)});
  samplers.back().config.aim = parse_aim("f1");
  samplers.push_back({aimed_before, samplers.back().config});
  samplers.back().config.aim.calibrated = false;
  for (const NamedSampler& changed : changed_parts()) {
    measured.changed.push_back(changed.name);
    samplers.push_back(changed);
  }
  for (const NamedSampler& candidate : candidates()) {
    measured.candidates.push_back(candidate.name);
    samplers.push_back(candidate);
  }
  const std::size_t runs = context.quick ? 1 : 2;
  std::vector<Job> jobs;
  std::vector<std::string> keys;
  for (const Variant& variant : measured.variants) {
    for (const NamedSampler& sampler : samplers) {
      for (const double share : measured.shares) {
        if (!runs_on(sampler.name, variant)) continue;
        if (labels_in(share, static_cast<double>(variant.rounds)) < 10) continue;
        keys.push_back(Measured::key(variant, sampler.name, share));
        jobs.push_back({.key = fmt::format("{} | {} + {} | n={} runs={} seed={}", keys.back(),
                                           text_of(sampler.config.learner), text_of(sampler.config.rule),
                                           variant.rounds, runs, context.seed),
                        .cost = static_cast<double>(variant.rounds) * (1 + 10 * share),
                        .work = [&variant, &sampler, share, runs, &context] {
                          return measure_or_fail(variant, sampler, share, runs, context.seed);
                        }});
      }
    }
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (results[k].contains("failed")) {
      measured.failed.push_back(keys[k]);
    } else {
      measured.cells[keys[k]] = cell_of(results[k]);
    }
  }
  return measured;
}

json json_of(const Measured& measured) {
  json all = json::array();
  std::vector<std::string> samplers = measured.samplers;
  samplers.insert(samplers.end(), {aimed, aimed_before});
  samplers.insert(samplers.end(), measured.changed.begin(), measured.changed.end());
  samplers.insert(samplers.end(), measured.candidates.begin(), measured.candidates.end());
  for (const Variant& variant : measured.variants) {
    for (const std::string& sampler : samplers) {
      for (const double share : measured.shares) {
        const Cell* cell = measured.find(variant, sampler, share);
        if (cell == nullptr) continue;
        all.push_back({{"set", variant.set},
                       {"variant", variant.name},
                       {"sampler", sampler},
                       {"share", share},
                       {"rounds", cell->rounds},
                       {"error", cell->error()},
                       {"errors", cell->errors},
                       {"f1", 1 - cell->f_missed()},
                       {"spent", cell->spent}});
      }
    }
  }
  return all;
}

}  // namespace

ExperimentReport run(const ExperimentContext& context) {
  std::string missing;
  std::vector<Variant> variants = all_variants(context, missing);
  const std::string streams = context.quick ? "streams-quick" : "streams";
  const json written =
      write_streams(variants, context.seed, (std::filesystem::path(context.work) / streams).string());
  const SmallBudgets small = measure_small_budgets(context, variants, parse_preset(standard));
  const Measured measured = measure_all(context, std::move(variants));
  ExperimentReport report{
      .page = Page(std::string(title)),
      .figures = {{"cells", json_of(measured)}, {"failed", measured.failed}, {"streams", written}}};
  if (!small.table.rows.empty()) report.figures["small_budgets"] = csv_of(small.table);
  if (!measured.variants.empty()) {
    for (const Verdict& verdict :
         {small.verdict,
          near_best(measured, standard, &Cell::error,
                    "The default's error is at most 1.05 times that of the best preset (1.15 at 1%)."),
          left_out_near_best(measured),
          near_best(
              measured, aimed, &Cell::f_missed,
              "Aimed at F, the default's 1 - F is at most 1.05 times that of the best preset (1.15 at 1%)."),
          not_worse_than_random(measured), not_worse_than_majority(measured), spends_its_budget(measured),
          never_fails(measured)}) {
      report.page.verdict(verdict);
      report.figures["verdicts"].push_back(json_of(verdict));
    }
  }
  report.page.heading("How it was measured");
  report.page.paragraph(
      "Every preset whose rule has a scale, steered to spend the budget, on every data set and on variants "
      "of "
      "it. Sets in the order of time keep it; the others are shuffled, each run in another order. The best "
      "preset is the best in hindsight, on each set and at each budget by itself; the default is told "
      "nothing.");
  for (const Table& table : {by_variant(measured), overview(measured, as_read),
                             overview(measured, text_with_tf_idf), left_out(measured),
                             parts(measured, measured.changed, &Cell::error,
                                   "geometric mean, over the sets, of the error relative to the default's"),
                             parts(measured, {aimed, aimed_before}, &Cell::f_missed,
                                   "geometric mean, over the sets, of 1 - F relative to the default's, which "
                                   "aims at accuracy")}) {
    report.page.table(table);
    report.figures["tables"].push_back({{"caption", table.caption}, {"csv", csv_of(table)}});
  }
  if (!small.table.rows.empty()) report.page.table(small.table);
  report.page.heading("Every sampler");
  for (const Variant& variant : measured.variants) report.page.table(details(measured, variant));
  if (!missing.empty()) {
    report.page.paragraph("Left out: " + missing);
    report.figures["left_out"] = missing;
  }
  return report;
}

}  // namespace askfew::defaults

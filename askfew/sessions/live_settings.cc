#include "askfew/sessions/live_settings.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "askfew/config/share.h"
#include "askfew/config/text.h"
#include "askfew/json/json_text.h"
#include "askfew/sessions/expiry.h"

namespace askfew {
namespace {

using nlohmann::json;

/// A number may be written as a number or as a text: 200 and "200". Null is an empty text.
std::string amount_of(const std::string& key, const json& value) {
  if (value.is_null()) return "";
  if (value.is_number()) return json_text(value);
  if (value.is_string()) return value.get<std::string>();
  throw ConfigError(fmt::format("setting {} must be a text, a number or null", in_quotes(key)));
}

std::vector<std::string> texts_of(const std::string& key, const json& value) {
  if (value.is_null()) return {};
  const bool are_texts =
      value.is_array() && std::ranges::all_of(value, [](const json& one) { return one.is_string(); });
  if (!are_texts) throw ConfigError(fmt::format("setting {} must be an array of texts", in_quotes(key)));
  auto texts = value.get<std::vector<std::string>>();
  if (std::set<std::string>(texts.begin(), texts.end()).size() != texts.size())
    throw ConfigError(fmt::format("setting {} names something twice", in_quotes(key)));
  return texts;
}

LabelPlan extended(LabelPlan plan, const std::vector<std::string>& labels) {
  if (plan.is_shard())
    throw ConfigError("topics cannot be added to a shard: those of the other shards come after its own");
  std::vector<std::string> before = plan.names;
  before.insert(before.end(), plan.negatives.begin(), plan.negatives.end());
  const bool is_longer =
      labels.size() >= before.size() && std::equal(before.begin(), before.end(), labels.begin());
  if (!is_longer) {
    throw ConfigError(fmt::format(
        "labels can be added, and neither taken away nor moved: the first {} must stay as they are",
        before.size()));
  }
  const auto first_new = labels.begin() + static_cast<std::ptrdiff_t>(before.size());
  if (first_new == labels.end()) return plan;
  if (std::any_of(first_new, labels.end(), [](const std::string& name) {
        return name.empty() ||
               std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
      })) {
    throw ConfigError("a label is empty, or has control characters");
  }
  if (plan.kind == LabelPlan::Kind::one_of || plan.has_topics()) {
    plan.names.insert(plan.names.end(), first_new, labels.end());
  } else if (plan.kind == LabelPlan::Kind::any_of && !plan.closes) {
    plan.negatives.insert(plan.negatives.end(), first_new, labels.end());
  } else {
    throw ConfigError("labels can be added to classes, to topics, and to negative labels that have names");
  }
  return plan;
}

// The state of a model, as a snapshot has it.

bool is_below(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

void set_count(Snapshot& snapshot, const std::string& name, std::uint64_t count) {
  std::memcpy(snapshot.tensors.at(name).bytes.data(), &count, sizeof count);
}

/// The plan continues from what was spent. In a period this is known only if the period stays.
void continue_plan(const Snapshot& before, const LabelBudget& budget_before, const LabelBudget& budget,
                   const Tally& tally, const std::string& prefix, Snapshot& after) {
  const std::string plan = prefix + "pacer.plan.";
  const bool was_period = budget_before.kind == LabelBudget::Kind::period;
  const bool is_period = budget.kind == LabelBudget::Kind::period;
  const bool is_same_clock = budget_before.is_set() && was_period == is_period &&
                             (!is_period || budget.period == budget_before.period);
  for (auto& [name, tensor] : after.tensors) {
    if (!name.starts_with(plan) || !is_same_clock) continue;
    const auto found = before.tensors.find(name);
    if (found != before.tensors.end()) tensor = found->second;
  }
  if (is_period) return;
  set_count(after, plan + "rounds", tally.round);
  set_count(after, plan + "spent", tally.asked);
  const bool knows_audited = is_same_clock && before.tensors.contains(plan + "audited");
  if (after.tensors.contains(plan + "audited") && !knows_audited)
    set_count(after, plan + "audited", tally.audited);
}

}  // namespace

SettingsChange settings_change_of(const json& object) {
  if (!object.is_object()) throw ConfigError("settings must be an object");
  SettingsChange change;
  for (const auto& [key, value] : object.items()) {
    if (key == "budget") {
      change.budget = amount_of(key, value);
    } else if (key == "horizon" && value.is_number_unsigned()) {
      change.horizon = value.get<std::uint64_t>();
    } else if (key == "audit") {
      change.audit = amount_of(key, value);
    } else if (key == "expire") {
      change.expire = amount_of(key, value);
    } else if (key == "volunteered") {
      change.volunteered = amount_of(key, value);
    } else if (key == "overlap") {
      change.overlap = amount_of(key, value);
    } else if (key == "labels") {
      change.labels = texts_of(key, value);
    } else if (key == "annotators") {
      change.annotators = texts_of(key, value);
    } else {
      throw ConfigError(fmt::format(
          "setting {} cannot change, or has a wrong value: budget, horizon, audit, expire, labels, "
          "volunteered, overlap and annotators can",
          in_quotes(key)));
    }
  }
  return change;
}

void expect_learnable(const LabelQueue::Options& options, const ModelConfig& config) {
  if (options.volunteered != Volunteered::refused && config.labels.is_shard()) {
    throw ConfigError(
        "volunteered labels are not for a shard of the topics: it does not know what other shards have "
        "asked");
  }
  if (options.volunteered != Volunteered::learned || config.sampler.aim.is_accuracy()) return;
  throw ConfigError(
      "volunteered labels cannot be learned with an aim: it needs the probability with which a label comes");
}

LiveSettings changed(LiveSettings settings, const SettingsChange& change) {
  LabelBudget& budget = settings.spending.budget;
  if (change.budget) {
    const std::uint64_t horizon = budget.horizon;
    budget = change.budget->empty() ? LabelBudget{} : parse_budget(*change.budget);
    if (budget.is_set() && budget.kind != LabelBudget::Kind::period) budget.horizon = horizon;
  }
  if (change.horizon) {
    if (!budget.is_set() && *change.horizon > 0) throw ConfigError("`horizon` is for a `budget`");
    budget.horizon = *change.horizon;
  }
  if (change.audit) settings.spending.audit = change.audit->empty() ? 0 : parse_share(*change.audit);
  check(settings.spending);
  if (change.expire) {
    const auto expiry = change.expire->empty() ? Expiry{} : parse_expiry(*change.expire);
    if (!expiry) {
      throw ConfigError(
          fmt::format("`expire` {} is neither rounds, as 1000, nor an age, as 30s, 10m, 12h or 7d",
                      in_quotes(*change.expire)));
    }
    settings.queue.max_rounds = expiry->rounds;
    settings.queue.max_age = expiry->age;
  }
  if (change.volunteered) {
    const auto volunteered = parse_volunteered(*change.volunteered);
    if (!volunteered) throw ConfigError("`volunteered` is refuse, keep or learn");
    settings.queue.volunteered = *volunteered;
  }
  if (change.overlap) settings.queue.overlap = parse_overlap(*change.overlap);
  if (change.labels) settings.labels = extended(std::move(settings.labels), *change.labels);
  if (change.annotators) settings.annotators = *change.annotators;
  return settings;
}

json json_of(const LiveSettings& settings) {
  const LabelBudget& budget = settings.spending.budget;
  std::vector<std::string> labels = settings.labels.names;
  labels.insert(labels.end(), settings.labels.negatives.begin(), settings.labels.negatives.end());
  const Expiry expiry{.rounds = settings.queue.max_rounds, .age = settings.queue.max_age};
  return {{"budget", budget.is_set() ? json(text_of(budget)) : json()},
          {"horizon", budget.horizon},
          {"audit", settings.spending.audit > 0 ? json(settings.spending.audit) : json()},
          {"expire", text_of(expiry)},
          {"volunteered", text_of(settings.queue.volunteered)},
          {"overlap", text_of(settings.queue.overlap)},
          {"labels", labels},
          {"annotators", settings.annotators}};
}

bool keeps_estimates(const Spending& before, const Spending& after) {
  return before.audit == after.audit && before.budget.horizon == after.budget.horizon;
}

Model changed_model(const Model& model, const Spending& spending, const LabelPlan& labels,
                    const Usage& usage) {
  ModelConfig config = model.config;
  const Spending before = config.sampler.spending;
  config.sampler.spending = spending;
  config.labels = labels;
  const Model fresh = make_model(config, {.exactness = usage.exactness});
  for (std::size_t k = model.tasks.size(); k < fresh.tasks.size(); ++k) {
    if (model.has_classes() && !fresh.tasks[k].sampler->started())
      throw ConfigError("this learner begins with a label: it cannot take new classes midway");
  }
  const Snapshot old = snapshot_of(model);
  Snapshot merged = snapshot_of(fresh);
  for (auto& [name, tensor] : merged.tensors) {
    const bool begins_anew = is_below(name, ".watch.") && !keeps_estimates(before, spending);
    const auto found = old.tensors.find(name);
    if (found != old.tensors.end() && !begins_anew && !is_below(name, "pacer.plan.")) tensor = found->second;
  }
  for (std::size_t k = 0; spending.budget.is_set() && k < model.tasks.size(); ++k) {
    const std::string prefix = model.decisions != nullptr ? "decisions." : fmt::format("task{}.", k);
    continue_plan(old, before.budget, spending.budget, model.tally(k), prefix, merged);
    if (model.decisions != nullptr) break;
  }
  Model after = model_of(merged, usage);
  after.config = config;
  return after;
}

}  // namespace askfew

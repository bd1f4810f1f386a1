#include "askfew/models/model_config.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/models/model.h"
#include "askfew/models/model_file.h"
#include "askfew/streams/formats/svmlight/svmlight.h"
#include "askfew/streams/formats/tables/table_json.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string_view text_of(LabelPlan::Kind kind) {
  switch (kind) {
    case LabelPlan::Kind::plain:
      return "plain";
    case LabelPlan::Kind::one_two:
      return "one_two";
    case LabelPlan::Kind::any_of:
      return "any_of";
    case LabelPlan::Kind::one_per_label:
      return "one_a_label";  // as in model files of all versions
    case LabelPlan::Kind::one_of:
      break;
  }
  return "one_of";
}

LabelPlan::Kind parse_kind(std::string_view text) {
  for (const auto kind : {LabelPlan::Kind::plain, LabelPlan::Kind::one_two, LabelPlan::Kind::any_of,
                          LabelPlan::Kind::one_per_label, LabelPlan::Kind::one_of}) {
    if (text == text_of(kind)) return kind;
  }
  throw ModelError(fmt::format("labels of an unknown kind '{}'", text));
}

json json_of(const FeatureOptions& options) {
  json texts;
  for (const FeatureOption& option : feature_option_table()) texts[option.name] = option.get(options);
  return texts;
}

FeatureOptions features_of(const json& texts) {
  FeatureOptions options;
  for (const FeatureOption& option : feature_option_table()) {
    set_feature_option(options, option.name, texts.at(option.name).get<std::string>());
  }
  return options;
}

constexpr std::array<std::string_view, 4> plan_names{"even", "early", "reserved",
                                                     "spaced"};  // as the enumeration

json json_of(const Spending& spending) {
  json text = {{"plan", plan_names[static_cast<std::size_t>(spending.budget.plan)]},
               {"kind", static_cast<unsigned>(spending.budget.kind)},
               {"amount", spending.budget.amount},
               {"period", spending.budget.period},
               {"horizon", spending.budget.horizon},
               {"audit", spending.audit}};
  if (spending.audit > 0 && spending.fits_forecasts) text["forecasts"] = "fitted";
  return text;
}

Spending spending_of(const json& text) {
  Spending spending;
  spending.budget.kind = static_cast<LabelBudget::Kind>(
      json_count(text.at("kind"), static_cast<std::uint64_t>(LabelBudget::Kind::period)));
  spending.budget.amount = text.at("amount").get<double>();
  spending.budget.period = static_cast<std::int64_t>(json_count(text.at("period"), max_rounds));
  spending.budget.horizon = json_count(text.at("horizon"), max_rounds);
  // Models and ledgers of earlier versions have no plan: their budgets are spent evenly.
  const std::string plan = text.value("plan", "even");
  const auto found = std::ranges::find(plan_names, plan);
  if (found == plan_names.end()) throw ModelError(fmt::format("a budget of an unknown plan '{}'", plan));
  spending.budget.plan = static_cast<LabelBudget::Plan>(found - plan_names.begin());
  spending.audit = text.at("audit").get<double>();
  // Models and ledgers of earlier versions have no fitted forecasts.
  spending.fits_forecasts = spending.audit == 0 || text.value("forecasts", "") == "fitted";
  check(spending);
  return spending;
}

constexpr std::pair<InputKind, std::string_view> input_names[] = {{InputKind::unknown, "unknown"},
                                                                  {InputKind::text, "text"},
                                                                  {InputKind::columns, "columns"},
                                                                  {InputKind::numbers, "numbers"},
                                                                  {InputKind::vw, "vowpal wabbit"}};

std::string_view text_of(InputKind kind) {
  return std::ranges::find(input_names, kind, &std::pair<InputKind, std::string_view>::first)->second;
}

/// A kind that only a later version knows fits everything.
InputKind parse_input(std::string_view text) {
  for (const auto& [kind, name] : input_names) {
    if (name == text) return kind;
  }
  return InputKind::unknown;
}

json json_of(const LabelPlan& labels) {
  json text = {{"kind", text_of(labels.kind)}, {"names", labels.names}};
  if (!labels.negatives.empty()) text["negatives"] = labels.negatives;
  if (labels.closes) text["closes"] = true;
  if (labels.first != 0) text["first"] = labels.first;
  if (!labels.all.empty()) text["all"] = labels.all;
  return text;
}

LabelPlan labels_of(const json& text) {
  LabelPlan labels{.kind = parse_kind(text.at("kind").get<std::string>()),
                   .names = text.at("names").get<std::vector<std::string>>(),
                   .negatives = text.value("negatives", std::vector<std::string>()),
                   .closes = text.value("closes", false),
                   .first = text.contains("first") ? json_count(text.at("first"), max_rounds) : 0,
                   .all = text.value("all", std::vector<std::string>())};
  if (labels.all.empty()) return labels;
  const bool has_room = labels.has_topics() && labels.first + labels.names.size() <= labels.all.size();
  if (!has_room || !std::equal(labels.names.begin(), labels.names.end(),
                               labels.all.begin() + static_cast<std::ptrdiff_t>(labels.first)))
    throw ModelError("the topics of a shard are not among all topics");
  return labels;
}

/// The keys of JSON lines; nothing if all are the usual ones.
json json_of(const TableOptions& keys) {
  json text = json::object();
  if (!keys.label_column.empty()) text["label"] = keys.label_column;
  if (!keys.id_column.empty()) text["id"] = keys.id_column;
  if (!keys.time_column.empty()) text["time"] = keys.time_column;
  if (!keys.text_columns.empty()) text["text"] = keys.text_columns;
  return text;
}

TableOptions keys_of(const json& text) {
  TableOptions keys;
  keys.label_column = text.value("label", "");
  keys.id_column = text.value("id", "");
  keys.time_column = text.value("time", "");
  keys.text_columns = text.value("text", std::vector<std::string>());
  return keys;
}

/// A known dimension must have room for the constant and all words of a dictionary.
void expect_room_for_features(const ModelConfig& config) {
  if (config.dimension == 0) return;
  const std::uint64_t least = config.features.text.dictionary ? config.features.text.max_words : 1;
  if (config.dimension < least + config.constants())
    throw ModelError("its dimension is too small for its features");
}

FeatureView::Index dimension_of(const json& number) {
  return static_cast<FeatureView::Index>(json_count(number, SvmlightFormat::max_features + 1));
}

}  // namespace

json json_of(const ModelConfig& config) {
  json text = {{"learner", askfew::text_of(config.sampler.learner)},
               {"rule", askfew::text_of(config.sampler.rule)},
               {"update", askfew::text_of(config.sampler.update)},
               {"spending", json_of(config.sampler.spending)},
               {"aim", askfew::text_of(config.sampler.aim)},
               {"seed", config.seed},
               {"dimension", config.dimension},
               {"index_base", config.index_base},
               {"labels", json_of(config.labels)},
               {"label_field", config.label_field == PackagesFormat::LabelField::section ? "section" : "tag"},
               {"features", json_of(config.features)}};
  if (config.found_dimension != 0) text["found_dimension"] = config.found_dimension;
  if (config.input != InputKind::unknown) {
    text["input"] = text_of(config.input);
  }
  if (!config.sampler.aim.is_accuracy() && config.sampler.aim.calibrated) text["cut"] = "calibrated";
  if (config.together) text["ask"] = "together";
  if (config.seeds.count > 0) {
    text["seed_labels"] = {{"count", config.seeds.count}, {"digest", config.seeds.digest}};
  }
  if (config.schema) {
    text["table"] = askfew::json_of(*config.schema);
  } else if (const json keys = json_of(config.table); !keys.empty()) {
    text["keys"] = keys;
  }
  return text;
}

ModelConfig config_of(const json& text) {
  ModelConfig config;
  config.sampler.learner = parse_learner(text.at("learner").get<std::string>());
  config.sampler.rule = parse_rule(text.at("rule").get<std::string>());
  config.sampler.update = parse_policy(text.at("update").get<std::string>());
  config.sampler.spending = spending_of(text.at("spending"));
  config.sampler.aim = parse_aim(text.value("aim", "accuracy"));
  // Models and ledgers of earlier versions have no such cut.
  if (!config.sampler.aim.is_accuracy())
    config.sampler.aim.calibrated = text.value("cut", "") == "calibrated";
  config.seed = json_count(text.at("seed"));
  config.dimension = dimension_of(text.at("dimension"));
  if (text.contains("found_dimension")) config.found_dimension = dimension_of(text.at("found_dimension"));
  config.index_base = static_cast<FeatureView::Index>(json_count(text.at("index_base"), 1));
  config.labels = labels_of(text.at("labels"));
  if (text.contains("input")) config.input = parse_input(text.at("input").get<std::string>());
  if (text.contains("keys")) config.table = keys_of(text.at("keys"));
  config.together = text.value("ask", "") == "together";
  if (text.contains("seed_labels")) {
    const json& seeds = text.at("seed_labels");
    config.seeds = {.count = json_count(seeds.at("count")), .digest = seeds.at("digest").get<std::string>()};
  }
  config.label_field =
      text.at("label_field") == "tag" ? PackagesFormat::LabelField::tag : PackagesFormat::LabelField::section;
  config.features = features_of(text.at("features"));
  expect_room_for_features(config);
  if (text.contains("table")) config.schema = table_of(text.at("table"));
  return config;
}

}  // namespace askfew

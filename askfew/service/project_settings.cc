#include "askfew/service/project_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"
#include "askfew/workflows/labels.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::size_t max_name = 200;
constexpr std::size_t max_question = 2000;
constexpr std::size_t max_labels = 100;
constexpr std::size_t max_slug = 64;

std::string text_at(const std::string& key, const json& value) {
  if (!value.is_string()) throw ConfigError(fmt::format("{} must be a text", key));
  return value.get<std::string>();
}

std::uint64_t number_at(const std::string& key, const json& value) {
  if (!value.is_number_unsigned()) throw ConfigError(fmt::format("{} must be a whole number from 0", key));
  return value.get<std::uint64_t>();
}

/// A number may be written as a number or as a text: 200 and "200".
std::string amount_at(const std::string& key, const json& value) {
  return value.is_number() ? json_text(value) : text_at(key, value);
}

std::vector<std::string> texts_at(const std::string& key, const json& value) {
  const bool are_texts = value.is_array() && std::all_of(value.begin(), value.end(),
                                                         [](const json& label) { return label.is_string(); });
  if (!are_texts) throw ConfigError(fmt::format("{} must be an array of texts, as [\"a\", \"b\"]", key));
  return value.get<std::vector<std::string>>();
}

void check_text(const std::string& key, const std::string& text, std::size_t most) {
  if (text.size() > most) throw ConfigError(fmt::format("{} has more than {} bytes", key, most));
  if (!is_utf8(text)) throw ConfigError(fmt::format("{} is not UTF-8", key));
}

bool has_control_characters(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void check_labels(const ProjectSettings& settings) {
  const std::vector<std::string>& labels = settings.labels;
  if (settings.kind == "yes-no" && labels.size() < 2)
    throw ConfigError("a project of the kind yes-no has two labels or more, the positive one first");
  const std::size_t least = settings.kind == "topics" ? 1 : 2;
  if (labels.size() < least || labels.size() > max_labels)
    throw ConfigError(fmt::format("a project has {} to {} labels", least, max_labels));
  std::set<std::string_view> seen;
  for (const std::string& label : labels) {
    if (!seen.insert(label).second)
      throw ConfigError(fmt::format("label {} is named twice", in_quotes(label)));
    check_text("a label", label, max_name);
    if (label.empty() || label.find(',') != std::string::npos || has_control_characters(label))
      throw ConfigError(
          fmt::format("label {} is empty, or has a comma or control characters", in_quotes(label)));
  }
}

}  // namespace

void read_settings(const json& object, ProjectSettings& settings) {
  if (!object.is_object()) throw ConfigError("the settings of a project must be an object");
  for (const auto& [key, value] : object.items()) {
    if (key == "name") {
      settings.name = text_at(key, value);
    } else if (key == "question") {
      settings.question = text_at(key, value);
    } else if (key == "kind") {
      settings.kind = text_at(key, value);
    } else if (key == "labels") {
      settings.labels = texts_at(key, value);
    } else if (key == "ask") {
      settings.ask = text_at(key, value);
    } else if (key == "budget") {
      settings.budget = amount_at(key, value);
    } else if (key == "audit") {
      settings.audit = amount_at(key, value);
    } else if (key == "sampler") {
      settings.sampler = text_at(key, value);
    } else if (key == "seed") {
      settings.seed = number_at(key, value);
    } else if (key == "horizon") {
      settings.horizon = number_at(key, value);
    } else if (key == "expire") {
      settings.expire = amount_at(key, value);
    } else if (key == "volunteered") {
      settings.volunteered = text_at(key, value);
    } else if (key == "overlap") {
      settings.overlap = text_at(key, value);
    } else if (key == "annotators") {
      settings.annotators = value.is_null() ? std::vector<std::string>() : texts_at(key, value);
    } else if (key == "archived") {
      if (!value.is_boolean()) throw ConfigError("archived must be true or false");
      settings.archived = value.get<bool>();
    } else {
      throw ConfigError(fmt::format("{} is no setting of a project", in_quotes(key)));
    }
  }
}

bool is_live_setting(std::string_view key) {
  constexpr std::string_view live[] = {"budget", "horizon",     "audit",   "expire",
                                       "labels", "volunteered", "overlap", "annotators"};
  return std::ranges::find(live, key) != std::end(live);
}

void check(const ProjectSettings& settings) {
  check_text("the name", settings.name, max_name);
  check_text("the question", settings.question, max_question);
  if (settings.name.empty() || has_control_characters(settings.name))
    throw ConfigError("a project needs a name, without control characters");
  if (settings.kind != "yes-no" && settings.kind != "classes" && settings.kind != "topics")
    throw ConfigError(fmt::format("kind {} is not yes-no, classes or topics", in_quotes(settings.kind)));
  if (settings.ask != "apart" && (settings.ask != "together" || settings.kind != "topics"))
    throw ConfigError("`ask` is apart or together, for a project of the kind topics");
  check_labels(settings);
}

json json_of(const ProjectSettings& settings) {
  json out{{"name", settings.name},
           {"question", settings.question},
           {"kind", settings.kind},
           {"labels", settings.labels},
           {"budget", settings.budget},
           {"audit", settings.audit},
           {"sampler", settings.sampler},
           {"seed", settings.seed},
           {"horizon", settings.horizon},
           {"expire", settings.expire},
           {"volunteered", settings.volunteered},
           {"overlap", settings.overlap},
           {"annotators", settings.annotators},
           {"archived", settings.archived}};
  if (settings.kind == "topics") out["ask"] = settings.ask;
  return out;
}

std::string slug_of(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_letter || is_capital) {
      slug += static_cast<char>(is_capital ? c - 'A' + 'a' : c);
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() == max_slug) break;
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "project" : slug;
}

bool is_slug(std::string_view text) {
  return !text.empty() && text.size() <= max_slug && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

LabelPlan label_plan_of(const ProjectSettings& settings) {
  if (settings.kind == "classes") return {.kind = LabelPlan::Kind::one_of, .names = settings.labels};
  if (settings.kind == "topics") return {.kind = LabelPlan::Kind::one_per_label, .names = settings.labels};
  return {.kind = LabelPlan::Kind::any_of,
          .names = {settings.labels.at(0)},
          .negatives = {settings.labels.begin() + 1, settings.labels.end()}};
}

SessionOptions session_options_of(const ProjectSettings& settings) {
  SessionOptions options;
  SamplerOptions& sampler = options.model.sampler;
  sampler.sampler = settings.sampler == "auto" && settings.budget.empty() ? "" : settings.sampler;
  sampler.budget = settings.budget;
  sampler.horizon = settings.budget.empty() ? 0 : settings.horizon;
  sampler.audit = settings.audit;
  options.model.seed = settings.seed;
  options.expire = settings.expire;
  options.volunteered = settings.volunteered;
  options.overlap = settings.overlap;
  LabelOptions& labels = options.model.labels;
  if (settings.kind == "yes-no") {
    labels.positive = joined_labels(std::span(settings.labels).first(1));
    labels.negative = joined_labels(std::span(settings.labels).subspan(1));
  } else {
    labels.labels = joined_labels(settings.labels);
    labels.multiclass = settings.kind == "classes";
    options.topics = !labels.multiclass;
    options.model.ask = settings.ask;
  }
  return options;
}

}  // namespace askfew

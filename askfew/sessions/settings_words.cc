#include "askfew/sessions/settings_words.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/catalog/catalog.h"
#include "askfew/config/text.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string words_of(const json& value) {
  if (value.is_null()) return "none";
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

std::string difference(const std::string& name, const std::string& recorded, const std::string& wanted) {
  return fmt::format("{} {}, not {}", name, recorded, wanted);
}

std::string names_of(const json& labels, const char* key) {
  std::string list;
  for (const json& name : labels.value(key, json::array())) {
    list += (list.empty() ? "" : ", ") + in_quotes(name.get<std::string>());
  }
  return list;
}

/// As in "the ledger was begun with ...".
std::string label_words(const json& labels) {
  const std::string kind = labels.value("kind", "");
  const std::string names = names_of(labels, "names");
  const std::string negatives = names_of(labels, "negatives");
  if (kind == "any_of") {
    return "the positive label " + names + (negatives.empty() ? "" : " and the negative label " + negatives);
  }
  if (kind == "one_of") return "the classes " + names;
  if (kind == "one_a_label") return "the topics " + names;
  return kind == "one_two" ? "the labels 1 and 2" : "the labels -1 and +1";
}

std::string budget_words(const json& spending) {
  const LabelBudget budget{.kind = static_cast<LabelBudget::Kind>(spending.value("kind", 0U)),
                           .amount = spending.value("amount", 0.0),
                           .period = spending.value("period", LabelBudget{}.period)};
  return budget.is_set() ? text_of(budget) : "none";
}

/// The first part that differs.
std::string part_difference(const json& recorded, const json& wanted) {
  for (const auto& [part, value] : wanted.items()) {
    const json there = recorded.value(part, json());
    if (there != value) return difference(part, words_of(there), words_of(value));
  }
  for (const auto& [part, value] : recorded.items()) {
    if (!wanted.contains(part)) return difference(part, words_of(value), "none");
  }
  return "";
}

std::string spending_difference(json recorded, json wanted) {
  const std::string there = budget_words(recorded);
  const std::string here = budget_words(wanted);
  if (there != here) return difference("budget", there, here);
  for (const char* way : {"plan", "forecasts"}) {  // of the version, not of the user
    recorded.erase(way);
    wanted.erase(way);
  }
  const double audit_there = recorded.value("audit", 0.0);
  const double audit_here = wanted.value("audit", 0.0);
  if (audit_there != audit_here) {
    return fmt::format("audit {:g}%, not {:g}%", 100 * audit_there, 100 * audit_here);
  }
  return part_difference(recorded, wanted);
}

std::string expiry_words(const json& microseconds) {
  constexpr std::int64_t second = 1'000'000;
  const auto age = microseconds.is_number() ? microseconds.get<std::int64_t>() : 0;
  return age == 0 ? "never" : fmt::format("after {} s", age / second);
}

}  // namespace

std::string difference_of(const std::string& name, const json& recorded, const json& wanted) {
  const bool have_parts = recorded.is_object() && wanted.is_object();
  if (name == "labels" && have_parts && label_words(recorded) != label_words(wanted)) {
    return fmt::format("{}, not {}", label_words(recorded), label_words(wanted));
  }
  if (name == "seed_labels") {
    return recorded.is_null() ? "no seed labels" : wanted.is_null() ? "seed labels" : "other seed labels";
  }
  if (name == "spending" && have_parts) return spending_difference(recorded, wanted);
  if (name == "expire_microseconds")
    return difference("expire", expiry_words(recorded), expiry_words(wanted));
  if (name == "expire_rounds") return difference("expire in rounds", words_of(recorded), words_of(wanted));
  if (have_parts) return part_difference(recorded, wanted);
  return difference(name, words_of(recorded), words_of(wanted));
}

}  // namespace askfew

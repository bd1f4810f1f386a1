#include "askfew/workflows/seen_labels.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/letters.h"

namespace askfew {
namespace {

constexpr std::size_t max_labels = 1000;  // of which names are kept
constexpr double most_mistyped = 0.01;    // of all labels
constexpr std::size_t max_mistyped = 3;   // labels near the wanted ones; more are a system of names

/// Texts that other programs write where a value is missing.
bool stands_for_nothing(std::string_view small_letters) {
  constexpr std::array<std::string_view, 5> usual{"na", "n/a", "nan", "null", "#n/a"};
  return std::ranges::find(usual, small_letters) != usual.end();
}

/// The same for labels that differ only in capitals or in blanks around them.
std::string without_case_and_blanks(std::string_view name) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t from = std::min(name.find_first_not_of(blanks), name.size());
  return in_small_letters(name.substr(from, name.find_last_not_of(blanks) + 1 - from));
}

/// Labels such as 3 and 4, C11 and C12 are near and meant.
bool has_digit(std::string_view name) {
  return name.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

std::vector<WantedLabel> wanted_labels(const LabelPlan& plan) {
  const std::string_view option = plan.kind == LabelPlan::Kind::any_of ? "positive" : "labels";
  std::vector<WantedLabel> wanted;
  for (const std::string& name : plan.names) wanted.push_back({name, option});
  for (const std::string& name : plan.negatives) wanted.push_back({name, "negative"});
  return wanted;
}

std::vector<std::string> doubts_about(const std::vector<LabelCount>& seen, std::uint64_t labels,
                                      const std::vector<WantedLabel>& wanted) {
  std::vector<std::string> names;
  for (const WantedLabel& label : wanted) names.push_back(label.name);
  std::vector<std::string> doubts;
  std::vector<std::string> mistyped;
  for (const auto& [name, examples] : seen) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string small = without_case_and_blanks(name);
    if (stands_for_nothing(small)) {
      doubts.push_back(
          fmt::format("{} is read as a label like any other, and it is negative: leave the "
                      "field empty if the label is missing",
                      in_quotes(name)));
    }
    const std::string nearest = nearest_name(name, names);
    if (nearest.empty()) continue;
    const bool is_same = small == without_case_and_blanks(nearest);
    // Labels such as male and female are near and meant; a typing mistake is rare.
    const bool is_rare = most_mistyped * static_cast<double>(labels) >= static_cast<double>(examples);
    if (!is_same && (!is_rare || has_digit(name))) continue;
    (is_same ? doubts : mistyped)
        .push_back(fmt::format("the label {} is not {}: its examples are negative", in_quotes(name),
                               in_quotes(nearest)));
  }
  if (mistyped.size() <= max_mistyped) doubts.insert(doubts.end(), mistyped.begin(), mistyped.end());
  return doubts;
}

std::string doubt_about_found(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, const std::string*> firsts;
  std::string pair;
  std::size_t pairs = 0;
  for (const std::string& label : labels) {
    const auto [first, is_new] = firsts.emplace(without_case_and_blanks(label), &label);
    if (is_new) continue;
    if (pairs++ == 0) pair = fmt::format("{} and {}", in_quotes(*first->second), in_quotes(label));
  }
  if (pairs == 0) return "";
  return fmt::format("the labels {} differ only in capitals or blanks, and count as two labels{}", pair,
                     pairs == 1 ? "" : fmt::format(" ({} such pairs)", pairs));
}

std::string doubt_about_one_side(std::uint64_t positives, std::uint64_t examples) {
  if (positives != 0 && positives != examples) return "";
  return fmt::format("every example is {}: the figures say nothing about the other label",
                     positives == 0 ? "negative" : "positive");
}

std::string no_example_has(const WantedLabel& wanted, const std::vector<LabelCount>& seen) {
  std::vector<std::string> names;
  for (const LabelCount& label : seen) names.push_back(label.name);
  std::sort(names.begin(), names.end());
  return fmt::format("no example has the label {} of `{}`: {}labels seen: {}", in_quotes(wanted.name),
                     wanted.option, nearest_or_nothing(wanted.name, names), list_in_quotes(names));
}

std::vector<std::string> check_labels(const LabelPlan& plan, const std::vector<LabelCount>& seen,
                                      const std::vector<std::string>& missing, const std::string& data) {
  const std::vector<WantedLabel> wanted = wanted_labels(plan);
  for (const WantedLabel& label : wanted) {
    if (std::ranges::find(missing, label.name) == missing.end()) continue;
    throw ConfigError(fmt::format("{}: {}", data, no_example_has(label, seen)));
  }
  std::uint64_t labels = 0;
  for (const LabelCount& label : seen) labels += label.examples;
  std::vector<std::string> doubts = doubts_about(seen, labels, wanted);
  for (std::string& doubt : doubts) doubt = fmt::format("{}: {}", data, doubt);
  return doubts;
}

SeenLabels::SeenLabels(const LabelPlan& plan, Stream& stream) : wanted_(wanted_labels(plan)) {
  for (const WantedLabel& label : wanted_) missing_.push_back({label, stream.label_id(label.name)});
}

void SeenLabels::look_at(const Examples& block, const Stream& stream) {
  examples_ += block.size();
  for (std::size_t row = 0; row < block.size(); ++row) {
    for (const Examples::LabelId id : block.labels(row)) {
      ++labels_;
      if (const auto found = seen_.find(id); found != seen_.end()) {
        ++found->second;
        continue;
      }
      std::erase_if(missing_, [&](const Missing& wanted) { return wanted.id == id; });
      if (seen_.size() == max_labels) continue;
      seen_.emplace(id, 1);
      names_.emplace_back(stream.label_name(id), id);
    }
  }
}

std::vector<LabelCount> SeenLabels::counts() const {
  std::vector<LabelCount> counts;
  for (const auto& [name, id] : names_) counts.push_back({name, seen_.at(id)});
  return counts;
}

std::vector<std::string> SeenLabels::doubts() const {
  return doubts_about(counts(), labels_, wanted_);
}

std::string SeenLabels::complaint() const {
  return missing_.empty() ? "" : no_example_has(missing_.front().label, counts());
}

}  // namespace askfew

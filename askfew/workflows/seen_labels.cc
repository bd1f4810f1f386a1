#include "askfew/workflows/seen_labels.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
#include "askfew/streams/formats/common/letters.h"

namespace askfew {
namespace {

constexpr std::size_t max_labels = 1000;  // of which names are kept
constexpr std::size_t max_names = 8;      // in a message
constexpr double most_mistyped = 0.01;    // of all labels

/// Texts that other programs write where a value is missing.
bool stands_for_nothing(std::string_view small_letters) {
  constexpr std::array<std::string_view, 5> usual{"na", "n/a", "nan", "null", "#n/a"};
  return std::ranges::find(usual, small_letters) != usual.end();
}

}  // namespace

SeenLabels::SeenLabels(const LabelPlan& plan, Stream& stream) {
  const std::string_view option = plan.kind == LabelPlan::Kind::any_of ? "positive" : "labels";
  for (const std::string& name : plan.names) missing_.push_back({name, option, stream.label_id(name)});
  for (const std::string& name : plan.negatives)
    missing_.push_back({name, "negative", stream.label_id(name)});
  for (const Wanted& wanted : missing_) wanted_names_.push_back(wanted.name);
}

void SeenLabels::look_at(const Examples& block, const Stream& stream) {
  for (std::size_t row = 0; row < block.size(); ++row) {
    for (const Examples::LabelId id : block.labels(row)) {
      ++labels_;
      if (const auto found = seen_.find(id); found != seen_.end()) {
        ++found->second;
        continue;
      }
      std::erase_if(missing_, [&](const Wanted& wanted) { return wanted.id == id; });
      if (seen_.size() == max_labels) continue;
      seen_.emplace(id, 1);
      names_.emplace_back(stream.label_name(id), id);
    }
  }
}

std::vector<std::string> SeenLabels::doubts() const {
  std::vector<std::string> doubts;
  for (const auto& [name, id] : names_) {
    if (std::ranges::find(wanted_names_, name) != wanted_names_.end()) continue;
    const std::string small = in_small_letters(name);
    if (stands_for_nothing(small)) {
      doubts.push_back(
          fmt::format("{} is read as a label like any other, and it is negative: leave the "
                      "field empty if the label is missing",
                      in_quotes(name)));
    }
    const std::string nearest = nearest_name(name, wanted_names_);
    // Labels such as male and female are near and meant; a typing mistake is rare.
    const bool is_rare = most_mistyped * static_cast<double>(labels_) >= static_cast<double>(seen_.at(id));
    if (!nearest.empty() && (is_rare || small == in_small_letters(nearest))) {
      doubts.push_back(fmt::format("the label {} is not {}: its examples are negative", in_quotes(name),
                                   in_quotes(nearest)));
    }
  }
  return doubts;
}

std::string SeenLabels::complaint() const {
  if (missing_.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [name, id] : names_) names.push_back(name);
  std::sort(names.begin(), names.end());
  std::string list;
  for (std::size_t k = 0; k < std::min(max_names, names.size()); ++k) {
    list += (k == 0 ? "" : ", ") + in_quotes(names[k]);
  }
  if (names.size() > max_names) list += fmt::format(" and {} more", names.size() - max_names);
  const Wanted& first = missing_.front();
  return fmt::format("no example has the label {} of `{}`: {}labels seen: {}", in_quotes(first.name),
                     first.option, nearest_or_nothing(first.name, names), list.empty() ? "none" : list);
}

}  // namespace askfew

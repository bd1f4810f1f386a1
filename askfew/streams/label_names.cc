#include "askfew/streams/label_names.h"

#include <charconv>
#include <fmt/format.h>
#include <mutex>
#include <optional>

#include "askfew/system/memory_limit.h"

namespace askfew {
namespace {

std::optional<Examples::LabelId> number_of(std::string_view text) {
  Examples::LabelId number = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && past == text.data() + text.size();
  // 07 and -0 are texts, because a label is written as it was read.
  if (!is_number || number >= LabelNames::first || text != std::to_string(number)) return std::nullopt;
  return number;
}

}  // namespace

Examples::LabelId LabelNames::id(std::string_view name) {
  if (const auto number = number_of(name)) return *number;
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  }
  if (is_closed_) return unknown;
  const std::unique_lock lock(mutex_);
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  constexpr std::size_t beside_it = 200;  // for a node of the map and two strings
  share_.resize(memory_ + 2 * name.size() + beside_it, "names of labels");
  memory_ += 2 * name.size() + beside_it;
  const Examples::LabelId id = first + static_cast<Examples::LabelId>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(std::string(name), id);
  return id;
}

std::string LabelNames::name(Examples::LabelId id) const {
  if (id < first) return std::to_string(id);
  const std::shared_lock lock(mutex_);
  return names_.at(static_cast<std::size_t>(id - first));
}

}  // namespace askfew

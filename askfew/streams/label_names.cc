#include "askfew/streams/label_names.h"

#include <charconv>
#include <mutex>
#include <optional>

namespace askfew {
namespace {

std::optional<Examples::LabelId> number_of(std::string_view text) {
  Examples::LabelId number = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && past == text.data() + text.size();
  // 07 and -0 are texts: a label is written as it was read.
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
  const std::unique_lock lock(mutex_);
  constexpr std::size_t beside_it = 200;  // a node of the map, two strings
  share_.resize(memory_ + 2 * name.size() + beside_it, "names of labels");
  const auto [entry, added] =
      ids_.try_emplace(std::string(name), first + static_cast<Examples::LabelId>(names_.size()));
  if (added) {
    names_.emplace_back(name);
    memory_ += 2 * name.size() + beside_it;
  }
  return entry->second;
}

std::string LabelNames::name(Examples::LabelId id) const {
  if (id < first) return std::to_string(id);
  const std::shared_lock lock(mutex_);
  return names_.at(static_cast<std::size_t>(id - first));
}

}  // namespace askfew

#include "askfew/streams/label_names.h"

#include <mutex>

namespace askfew {

Examples::LabelId LabelNames::id(std::string_view name) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  const auto [entry, added] =
      ids_.try_emplace(std::string(name), static_cast<Examples::LabelId>(names_.size()));
  if (added) names_.emplace_back(name);
  return entry->second;
}

std::string LabelNames::name(Examples::LabelId id) const {
  const std::shared_lock lock(mutex_);
  return names_.at(static_cast<std::size_t>(id));
}

}  // namespace askfew

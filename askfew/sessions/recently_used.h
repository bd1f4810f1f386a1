#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace askfew {

/// Things by their key, in the order of their last use.
template <typename Thing>
class RecentlyUsed {
 public:
  struct Entry {
    std::string key;
    Thing thing;
  };
  using Place = typename std::list<Entry>::iterator;

  /// Null if there is none. Finding is using.
  Thing* find(const std::string& key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->thing;
  }
  /// The same, but this is no use.
  Thing* look(const std::string& key) {
    const auto found = places_.find(key);
    return found == places_.end() ? nullptr : &found->second->thing;
  }
  /// REQUIRES: there is none with this key.
  Thing& add(const std::string& key, Thing thing) {
    entries_.push_front({key, std::move(thing)});
    places_[key] = entries_.begin();
    return entries_.front().thing;
  }
  /// Removes the thing that was not used for the longest time among those for which `may` is true. Returns
  /// whether there is one.
  template <typename May>
  bool remove_oldest(const May& may) {
    for (auto place = entries_.end(); place != entries_.begin();) {
      --place;
      if (!may(place->thing)) continue;
      places_.erase(place->key);
      entries_.erase(place);
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  std::list<Entry> entries_;  // the last used one first
  std::unordered_map<std::string, Place> places_;
};

}  // namespace askfew

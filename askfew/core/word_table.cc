#include "askfew/core/word_table.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <bit>
#include <xxhash.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t fewest_slots = 64;

std::uint64_t hash_of(std::string_view word) {
  return XXH3_64bits(word.data(), word.size());
}
std::uint32_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 32);
}

}  // namespace

std::size_t WordTable::place(std::string_view word, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].number != none &&
         (slots_[at].tag != tag_of(hash) || (*this)[slots_[at].number] != word)) {
    at = (at + 1) & mask;
  }
  return at;
}

WordTable::Number WordTable::add(std::string_view word) {
  if (2 * (size() + 1) > slots_.size()) rebuild();
  const std::uint64_t hash = hash_of(word);
  Slot& slot = slots_[place(word, hash)];
  if (slot.number == none) {
    slot = {.tag = tag_of(hash), .number = static_cast<Number>(size())};
    bytes_.insert(bytes_.end(), word.begin(), word.end());
    ends_.push_back(bytes_.size());
  }
  return slot.number;
}

WordTable::Number WordTable::find(std::string_view word) const {
  return slots_.empty() ? none : slots_[place(word, hash_of(word))].number;
}

std::size_t WordTable::slots_for(std::size_t words) {
  return std::max(fewest_slots, std::bit_ceil(2 * words));
}

std::size_t WordTable::memory_with(std::size_t words, std::size_t bytes) const {
  // A full vector at most doubles its capacity.
  const auto room = [](const auto& vector, std::size_t size) {
    return size <= vector.capacity() ? vector.capacity() : 2 * size;
  };
  const std::size_t slots = slots_for(size() + words + 1);
  return room(bytes_, bytes_.size() + bytes) + room(ends_, ends_.size() + words) * sizeof(ends_[0]) +
         std::max(slots_.capacity(), slots) * sizeof(Slot);
}

void WordTable::clear() {
  bytes_.clear();
  ends_.clear();
  std::fill(slots_.begin(), slots_.end(), Slot{});
}

void WordTable::forget_from(Number number) {
  // Removes words from the last to the first, so that no remaining word was placed after a removed word.
  while (size() > number) {
    const std::string_view word = (*this)[static_cast<Number>(size() - 1)];
    slots_[place(word, hash_of(word))] = {};
    bytes_.resize(bytes_.size() - word.size());
    ends_.pop_back();
  }
}

void WordTable::rebuild() {
  slots_.assign(slots_for(size() + 1), {});
  for (Number number = 0; number < size(); ++number) {
    const std::uint64_t hash = hash_of((*this)[number]);
    Slot& slot = slots_[place((*this)[number], hash)];
    if (slot.number != none) throw ModelError("a word occurs twice");
    slot = {.tag = tag_of(hash), .number = number};
  }
}

void WordTable::loaded() {
  const bool ascend = std::is_sorted(ends_.begin(), ends_.end());
  if (!ascend || size() >= none || (ends_.empty() ? 0 : ends_.back()) != bytes_.size()) {
    throw ModelError("its words do not match their bytes");
  }
  rebuild();
}

}  // namespace askfew

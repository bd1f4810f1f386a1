#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace askfew {

/// Finds places by the hash of a key; the owner of the places compares the keys. Open addressing without
/// tombstones: adding and removing never allocates once the table has reached its size.
class IdTable {
 public:
  using Place = std::uint32_t;
  static constexpr Place none = ~Place{0};

  static std::uint64_t hash_of(std::string_view key);

  /// The place with this hash for which is_it(place) holds, or none.
  template <class F>
  [[nodiscard]] Place find(std::uint64_t hash, F&& is_it) const {
    if (cells_.empty()) return none;
    for (std::size_t k = hash & mask(); cells_[k].place != none; k = (k + 1) & mask()) {
      if (cells_[k].hash == hash && is_it(cells_[k].place)) return cells_[k].place;
    }
    return none;
  }
  /// REQUIRES: the place is not in the table.
  void add(std::uint64_t hash, Place place);
  /// REQUIRES: the place is in the table, with this hash.
  void remove(std::uint64_t hash, Place place);

 private:
  struct Cell {
    std::uint64_t hash = 0;
    Place place = none;
  };

  [[nodiscard]] std::size_t mask() const { return cells_.size() - 1; }
  void put(const Cell& cell);

  std::vector<Cell> cells_;  // a power of two cells, at most half in use
  std::size_t size_ = 0;
};

}  // namespace askfew

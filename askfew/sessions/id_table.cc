#define XXH_INLINE_ALL
#include "askfew/sessions/id_table.h"

#include <utility>
#include <xxhash.h>

namespace askfew {

std::uint64_t IdTable::hash_of(std::string_view key) {
  return XXH3_64bits(key.data(), key.size());
}

void IdTable::put(const Cell& cell) {
  std::size_t k = cell.hash & mask();
  while (cells_[k].place != none) k = (k + 1) & mask();
  cells_[k] = cell;
}

void IdTable::add(std::uint64_t hash, Place place) {
  if (2 * (size_ + 1) > cells_.size()) {
    const std::vector<Cell> old =
        std::exchange(cells_, std::vector<Cell>(cells_.empty() ? 64 : 2 * cells_.size()));
    for (const Cell& cell : old) {
      if (cell.place != none) put(cell);
    }
  }
  put({hash, place});
  ++size_;
}

void IdTable::remove(std::uint64_t hash, Place place) {
  std::size_t hole = hash & mask();
  while (cells_[hole].place != place) hole = (hole + 1) & mask();
  // Later cells move up into the hole, but never before the cell where their search begins.
  for (std::size_t k = (hole + 1) & mask(); cells_[k].place != none; k = (k + 1) & mask()) {
    const std::size_t home = cells_[k].hash & mask();
    if (((k - home) & mask()) < ((k - hole) & mask())) continue;
    cells_[hole] = cells_[k];
    hole = k;
  }
  cells_[hole] = {};
  --size_;
}

}  // namespace askfew

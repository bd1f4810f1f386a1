#include "askfew/workflows/seen_ids.h"

#include <fmt/core.h>

#include "askfew/config/text.h"

namespace askfew {

void SeenIds::look_at(const Examples& block, const Stream& stream) {
  for (std::size_t row = 0; row < block.size(); ++row) {
    const std::string_view id = block.id(row);
    if (id.empty() || is_new(id)) continue;
    if (repeated_++ > 0) continue;
    first_id_ = in_quotes(id);
    first_place_ = fmt::format("{}:{}", stream.name(), block.line(row));
  }
}

std::string SeenIds::doubt() const {
  if (repeated_ == 0) return "";
  return fmt::format(
      "{}: the id {} was there before{}: such an id does not say which example is meant; name another column "
      "with `id_column`, or take out the rows that are there twice",
      first_place_, first_id_,
      repeated_ == 1 ? "" : fmt::format(", and {} more examples repeat an id", repeated_ - 1));
}

bool SeenIds::is_new(std::string_view id) {
  const std::uint64_t hash = IdTable::hash_of(id);
  if (table_.find(hash, [](IdTable::Place) { return true; }) != IdTable::none) return false;
  if (remembered_ < max_remembered) table_.add(hash, remembered_++);
  return true;
}

}  // namespace askfew

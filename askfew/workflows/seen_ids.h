#pragma once

#include <cstdint>
#include <string>

#include "askfew/sessions/id_table.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// Finds ids that name more than one example: such an id does not say which example is meant. Remembers the
/// hashes of the first ids, so that its memory is bounded; an id that repeats one of them is found however
/// late it comes.
class SeenIds {
 public:
  static constexpr IdTable::Place max_remembered = IdTable::Place{1} << 21;  // 64 MiB

  void look_at(const Examples& block, const Stream& stream);
  /// One sentence with the first id that was there before; an empty text: there is none.
  [[nodiscard]] std::string doubt() const;

 private:
  [[nodiscard]] bool is_new(std::string_view id);

  IdTable table_;
  IdTable::Place remembered_ = 0;
  std::uint64_t repeated_ = 0;
  std::string first_id_;
  std::string first_place_;
};

}  // namespace askfew

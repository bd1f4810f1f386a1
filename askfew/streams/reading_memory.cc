#include "askfew/streams/reading_memory.h"

#include <algorithm>
#include <limits>

namespace askfew {

void ReadingMemory::change(std::size_t before, std::size_t after, std::string_view what) {
  const std::lock_guard lock(mutex_);
  const std::size_t used = used_ - before + after;
  share_.resize(used > usual ? used - usual : 0, what);
  used_ = used;
}

std::size_t ReadingMemory::most() const {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max() / 2;
  return limit_ == nullptr ? no_limit : std::min(limit_->most(), no_limit) + usual;
}

bool ReadingShare::try_resize(std::size_t bytes) {
  try {
    resize(bytes, "");
    return true;
  } catch (const MemoryError&) {
    return false;
  }
}

}  // namespace askfew

#include "askfew/system/usual_memory.h"

#include <limits>
#include <unistd.h>

namespace askfew {

std::uint64_t usual_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page_size <= 0) return std::numeric_limits<std::uint64_t>::max();  // unknown: no limit
  return static_cast<std::uint64_t>(pages) / 4 * 3 * static_cast<std::uint64_t>(page_size);
}

}  // namespace askfew

#include "askfew/system/huge_pages.h"

#include <sys/mman.h>

namespace askfew {

void prefer_huge_pages(void* memory, std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  const std::size_t whole_pages = bytes / huge_page_bytes * huge_page_bytes;
  static_cast<void>(::madvise(memory, whole_pages, MADV_HUGEPAGE));
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

}  // namespace askfew

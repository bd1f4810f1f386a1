#pragma once

#include <cstddef>

namespace askfew {

inline constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Asks the system to keep this memory in huge pages; changes no result. A system that has none ignores it.
void prefer_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace askfew

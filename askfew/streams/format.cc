#include "askfew/streams/format.h"

#include <algorithm>

namespace askfew {

std::size_t past_last(std::initializer_list<std::string_view> marks, std::string_view bytes,
                      std::size_t& looked_at) {
  std::size_t past = 0;
  std::size_t longest = 0;
  for (const std::string_view mark : marks) {
    const std::string_view rest = bytes.substr(looked_at);
    const std::size_t at = rest.rfind(mark);
    if (at != std::string_view::npos) past = std::max(past, looked_at + at + mark.size());
    longest = std::max(longest, mark.size());
  }
  // The last bytes may be the beginning of a mark.
  looked_at = std::max(looked_at, bytes.size() - std::min(bytes.size(), longest));
  return past;
}

std::uint64_t lines_with_content(std::string_view lines, char comment) {
  std::uint64_t count = 0;
  while (!lines.empty()) {
    const std::size_t first = lines.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) break;
    count += lines[first] == comment ? 0 : 1;
    const std::size_t end = lines.find('\n', first);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return count;
}

}  // namespace askfew

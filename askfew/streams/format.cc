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

}  // namespace askfew

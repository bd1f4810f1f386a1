#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace askfew {

/// Cuts what comes from a pipe into lines, as far as they are there. Behind every line there are bytes that
/// an IncomingReader may look at. Of a line that is too long for one only its beginning is kept.
class LineBuffer {
 public:
  /// Where the next bytes go. What `lines` gave before is gone.
  std::span<char> room();
  /// So many bytes were written there; all whole lines, without their ends.
  std::span<const std::string_view> lines(std::size_t bytes);
  /// After the end: the last line, if it has no end.
  std::span<const std::string_view> last_line();

 private:
  void add_line(std::size_t end);

  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of the line that has no end yet
  std::size_t end_ = 0;    // of what is there
  bool too_long_ = false;  // the rest of that line is left out
  std::vector<std::string_view> lines_;
};

}  // namespace askfew

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace askfew {

/// Splits the bytes from a pipe into complete lines. After every line there are bytes that an IncomingReader
/// may read. Of a line that is too long, only the beginning is kept.
class LineBuffer {
 public:
  /// The place for the next bytes. Invalidates the result of `lines`.
  std::span<char> room();
  /// So many bytes were written into the room; returns all complete lines, without their line ends.
  std::span<const std::string_view> lines(std::size_t bytes);
  /// After the end of the input: the last line, if it has no line end.
  std::span<const std::string_view> last_line();

 private:
  void add_line(std::size_t end);

  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // beginning of the incomplete line
  std::size_t end_ = 0;    // end of the bytes in the buffer
  bool too_long_ = false;  // the rest of the incomplete line is dropped
  std::vector<std::string_view> lines_;
};

}  // namespace askfew

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"

namespace askfew {

/// The lines of a source, without their ends (\n or \r\n). A line stays valid until the next call. A line of
/// any length works: the buffer grows to it.
class LineReader {
 public:
  explicit LineReader(ByteSource& source) : source_(source), buffer_(1U << 18) {}

  /// False at the end of the source, or where it fails (see ByteSource::failure).
  bool next(std::string_view& line);
  /// Number of the line that `next` gave last, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  void refill();

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace askfew

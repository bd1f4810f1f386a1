#pragma once

#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"

namespace askfew {

/// Cuts a source into chunks of whole records. A record that is longer than a chunk makes the chunk longer.
class ChunkReader {
 public:
  /// REQUIRES: both outlive it.
  ChunkReader(ByteSource& source, const Format& format, std::size_t size)
      : source_(source), format_(format), size_(size) {}

  /// Reads the next chunk into the buffer; false at the end of the source, or where it fails (see
  /// ByteSource::failure): an unfinished record before a failure is dropped. From a pipe it takes what is
  /// there and waits for no more than one record.
  bool next(std::vector<char>& buffer, Chunk& chunk);
  /// To be called once a chunk was parsed.
  void let_go(const Chunk& chunk) const {
    if (mapped_ != nullptr) MappedFile::let_go(chunk.bytes);
  }
  /// Bytes of all chunks so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  bool next_mapped(Chunk& chunk);

  ByteSource& source_;
  const Format& format_;
  std::size_t size_;
  std::vector<char> unfinished_;  // the beginning of the next chunk
  std::uint64_t bytes_ = 0;
  bool was_begun_ = false;
  bool at_end_ = false;
  std::unique_ptr<MappedFile> mapped_;  // if the file is read in place
};

}  // namespace askfew

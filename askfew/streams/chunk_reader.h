#pragma once

#include <memory>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"

namespace askfew {

/// Where a chunk is read into.
class ChunkBuffer {
 public:
  [[nodiscard]] char* bytes() { return bytes_.get() + Chunk::padding; }
  /// Without the padding around it.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Makes room for so many bytes and keeps the first ones.
  void grow(std::size_t size, std::size_t kept);
  void free() {
    bytes_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<char[]> bytes_;  // what was never written to takes no memory
  std::size_t size_ = 0;
};

/// Cuts a source into chunks of whole records. A record that is longer than a chunk makes the chunk longer.
class ChunkReader {
 public:
  /// REQUIRES: both outlive it.
  ChunkReader(ByteSource& source, const Format& format, std::size_t size)
      : source_(source), format_(format), size_(size) {}

  /// Reads the next chunk into the buffer; false at the end of the source, or where it fails (see
  /// ByteSource::failure): an unfinished record before a failure is dropped, and a record that is too long is
  /// a failure. From a pipe it takes what is there and waits for no more than one record. THROWS: MemoryError
  /// for a record that could never be parsed with the memory that there may be.
  bool next(ChunkBuffer& buffer, Chunk& chunk);
  /// To be called once a chunk was parsed.
  void let_go(const Chunk& chunk) const {
    if (mapped_ != nullptr) MappedFile::let_go(chunk.bytes);
  }
  /// Bytes of all chunks so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  bool next_mapped(Chunk& chunk);
  [[nodiscard]] std::size_t longest_record() const;
  /// Ends the source.
  void refuse_long();

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

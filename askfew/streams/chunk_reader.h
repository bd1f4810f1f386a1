#pragma once

// Cuts the bytes of a file into chunks of complete records.

#include <memory>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/format.h"

namespace askfew {

/// The memory into which a chunk is read.
class ChunkBuffer {
 public:
  [[nodiscard]] char* bytes() { return bytes_.get() + Chunk::padding; }
  /// The size without the padding.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Grows to so many bytes and keeps the first `kept` bytes.
  void grow(std::size_t size, std::size_t kept);
  void free() {
    bytes_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<char[]> bytes_;  // pages that were never written take no memory
  std::size_t size_ = 0;
};

/// Cuts a source into chunks of complete records. A record that is longer than a chunk makes the chunk
/// longer.
class ChunkReader {
 public:
  /// REQUIRES: source and format outlive this object.
  ChunkReader(ByteSource& source, const Format& format, std::size_t size)
      : source_(source), format_(format), size_(size) {}

  /// Reads the next chunk into the buffer; false at the end of the source or after a failure (see
  /// ByteSource::failure). An incomplete record before a failure is dropped; a record that is too long is a
  /// failure. For a pipe, `next` takes the available bytes and waits only until one record is complete.
  /// THROWS: MemoryError for a record that the memory limit can never hold.
  bool next(ChunkBuffer& buffer, Chunk& chunk);
  /// Call after a chunk was parsed.
  void let_go(const Chunk& chunk) const {
    if (mapped_ != nullptr) MappedFile::let_go(chunk.bytes);
  }
  /// Bytes of all chunks so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  bool next_mapped(Chunk& chunk);
  [[nodiscard]] std::size_t longest_record() const;
  /// Ends the source because a record is too long.
  void refuse_long();

  ByteSource& source_;
  const Format& format_;
  std::size_t size_;
  std::vector<char> unfinished_;  // the beginning of the next chunk
  std::uint64_t bytes_ = 0;
  bool was_begun_ = false;
  bool at_end_ = false;
  std::unique_ptr<MappedFile> mapped_;  // null unless the file is read in place
};

}  // namespace askfew

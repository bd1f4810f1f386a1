#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "askfew/streams/chunk_reader.h"
#include "askfew/system/thread_group.h"

namespace askfew {

/// Chunks of a source, parsed on several threads and handed out in their order. A fixed number of them is
/// under way at any time, so that memory stays bounded whatever the length of the source.
///
/// Who calls `next` is one of the threads: as long as the chunk it wants is not ready, it parses another.
/// Only where reading may have to wait, for a pipe, it does not, so that what is ready is never kept back.
class ChunkPipeline {
 public:
  struct Options {
    double bias = 0;  ///< constant that every example begins with; 0: none
    bool normalize = false;
    unsigned threads = 1;  ///< that parse
    std::size_t chunk = 0;
    bool skips_malformed = false;
  };

  /// REQUIRES: both outlive it. THROWS: ResourceError if the system refuses a thread.
  ChunkPipeline(ByteSource& source, const Format& format, const Options& options);
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;
  ChunkPipeline(ChunkPipeline&&) = delete;
  ChunkPipeline& operator=(ChunkPipeline&&) = delete;

  /// The next chunk, in exchange for one whose room may be used; false at the end. Rethrows what a thread
  /// threw.
  bool next(ParsedChunk& chunk);
  /// Bytes of all chunks. REQUIRES: `next` has returned false.
  [[nodiscard]] std::uint64_t bytes() const { return reader_.bytes(); }

 private:
  enum class State : std::uint8_t { free, under_way, ready, end };
  struct Slot {
    State state = State::free;
    std::vector<char> buffer;
    Chunk chunk;
    ParsedChunk parsed;
    std::exception_ptr failure;
  };

  using Lock = std::unique_lock<std::mutex>;

  void work(Parser& parser);
  void stop();
  /// Is there a slot to read into, and nobody who reads? REQUIRES: the lock.
  [[nodiscard]] bool can_begin() const;
  /// Reads the next chunk into a slot and parses it. REQUIRES: `can_begin`; the lock, which is given up on
  /// the way.
  void do_chunk(Parser& parser, Lock& lock);
  void parse(Slot& slot, Parser& parser) const;

  ByteSource& source_;
  const Format& format_;
  Options options_;
  ChunkReader reader_;
  std::vector<Slot> slots_;                       // chunk n is in slot n modulo their number
  std::vector<std::unique_ptr<Parser>> parsers_;  // one a thread
  std::unique_ptr<Parser> own_parser_;            // of who calls `next`; none if that only waits

  std::mutex mutex_;
  std::condition_variable can_begin_;  // for the threads
  std::condition_variable can_go_on_;  // for who calls `next`
  std::uint64_t begun_ = 0;            // chunks that were begun
  std::uint64_t delivered_ = 0;        // chunks that were handed out
  bool reading_ = false;               // a thread has the reader
  bool ended_ = false;                 // nothing is left to read
  ThreadGroup threads_;
};

}  // namespace askfew

#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "askfew/streams/chunk_reader.h"

namespace askfew {

/// Chunks of a source, parsed on several threads and handed out in their order. A fixed number of them is
/// under way at any time, so that memory stays bounded whatever the length of the source.
class ChunkPipeline {
 public:
  struct Options {
    double bias = 0;  ///< constant that every example begins with; 0: none
    bool normalize = false;
    unsigned threads = 1;  ///< 1: parsed by the caller of `next`
    std::size_t chunk = 0;
    bool skips_malformed = false;
  };

  /// REQUIRES: both outlive it.
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

  void work();
  /// Reads the next chunk into a slot and parses it; false at the end. Calls `was_read` between the two.
  template <class F>
  bool fill(Slot& slot, Parser& parser, F&& was_read);
  void become(Slot& slot, State state);

  ByteSource& source_;
  const Format& format_;
  Options options_;
  ChunkReader reader_;
  std::vector<Slot> slots_;  // chunk n is in slot n modulo their number
  std::unique_ptr<Parser> own_parser_;

  std::mutex mutex_;
  std::condition_variable slot_is_free_;
  std::condition_variable slot_is_ready_;
  std::uint64_t begun_ = 0;      // chunks that were begun
  std::uint64_t delivered_ = 0;  // chunks that were handed out
  bool reading_ = false;         // a thread has the reader
  bool ended_ = false;           // nothing is left to read
  std::vector<std::thread> threads_;
};

}  // namespace askfew

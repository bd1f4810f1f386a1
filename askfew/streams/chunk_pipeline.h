#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "askfew/streams/chunk_reader.h"

namespace askfew {

/// Chunks of a source, parsed on several threads and handed out in their order. A fixed number of them is
/// under way at any time, so that memory stays bounded whatever the length of the source. What a long record
/// takes is counted; if there is not enough for it while others are under way, it waits until there is none.
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

  /// REQUIRES: both outlive it.
  ChunkPipeline(ByteSource& source, const Format& format, const Options& options);
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;
  ChunkPipeline(ChunkPipeline&&) = delete;
  ChunkPipeline& operator=(ChunkPipeline&&) = delete;

  /// The next chunk, in exchange for one whose room may be used; false at the end. Rethrows what a thread
  /// threw. THROWS: MemoryError if there is not enough for a long record alone.
  bool next(ParsedChunk& chunk);
  /// Bytes of all chunks. REQUIRES: `next` has returned false.
  [[nodiscard]] std::uint64_t bytes() const { return reader_.bytes(); }

 private:
  enum class State : std::uint8_t { free, under_way, waits, ready, end };
  struct Slot {
    explicit Slot(const std::shared_ptr<ReadingMemory>& memory) : share(memory) {}

    State state = State::free;
    ReadingShare share;  // of a long record
    ChunkBuffer buffer;
    Chunk chunk;
    ParsedChunk parsed;
    std::exception_ptr failure;
  };

  using Lock = std::unique_lock<std::mutex>;

  void work();
  /// Is there a slot to read into, and nobody who reads? REQUIRES: the lock.
  [[nodiscard]] bool can_begin() const;
  /// Reads the next chunk into a slot and parses it. REQUIRES: `can_begin`; the lock, which is given up on
  /// the way.
  void do_chunk(Parser& parser, Lock& lock);
  /// Parses a chunk that has waited until no other is under way. REQUIRES: as `do_chunk`.
  void do_alone(Slot& slot, Lock& lock);
  /// Calls work() without the lock, and keeps what it throws.
  template <class Work>
  static void without_lock(Lock& lock, Slot& slot, Work&& work);
  void finish(Slot& slot, bool is_last);
  void parse(Slot& slot, Parser& parser) const;
  [[nodiscard]] bool is_long(const Slot& slot) const { return slot.chunk.bytes.size() > 2 * options_.chunk; }
  /// What a long record takes, buffer and all.
  [[nodiscard]] std::size_t memory_of(const Slot& slot) const {
    return slot.chunk.bytes.size() * format_.memory_a_byte();
  }

  /// The options with chunks that are as small as the memory wants them. What all of them take beyond a usual
  /// amount is counted in `usual_share_`.
  Options fitted(Options options);
  static std::size_t slots_for(unsigned threads) { return threads > 1 ? 2 * threads : 1; }

  ByteSource& source_;
  const Format& format_;
  ReadingShare usual_share_;
  Options options_;
  ChunkReader reader_;
  std::deque<Slot> slots_;              // chunk n is in slot n modulo their number
  std::unique_ptr<Parser> own_parser_;  // of who calls `next`; none if that only waits

  std::mutex mutex_;
  std::condition_variable can_begin_;  // for the threads
  std::condition_variable can_go_on_;  // for who calls `next`
  std::uint64_t begun_ = 0;            // chunks that were begun
  std::uint64_t delivered_ = 0;        // chunks that were handed out
  bool reading_ = false;               // a thread has the reader
  bool one_waits_ = false;             // for others to be done
  ReadingShare handed_out_;            // of what `next` gave last
  bool ended_ = false;                 // nothing is left to read
  std::vector<std::thread> threads_;
};

}  // namespace askfew

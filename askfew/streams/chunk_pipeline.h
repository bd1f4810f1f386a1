#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "askfew/streams/chunk_reader.h"
#include "askfew/system/thread_group.h"

namespace askfew {

/// Chunks of a source, parsed on several threads and delivered in order. The number of chunks in progress is
/// fixed, so that memory stays bounded for a source of any length. The memory of a long record is counted; if
/// there is too little memory while other chunks are in progress, the long record waits until they are done.
///
/// The thread that calls `next` also parses: while its chunk is not ready, it parses another chunk. It does
/// not do so if reading may wait for a pipe, so that finished chunks are delivered at once.
class ChunkPipeline {
 public:
  struct Options {
    double bias = 0;  ///< constant at the beginning of every example; 0: none
    bool normalize = false;
    unsigned threads = 1;  ///< number of parsing threads
    std::size_t chunk = 0;
    bool skips_malformed = false;
  };

  /// REQUIRES: both arguments outlive this object. THROWS: ResourceError if the system refuses a thread.
  ChunkPipeline(ByteSource& source, const Format& format, const Options& options);
  ~ChunkPipeline();
  ChunkPipeline(const ChunkPipeline&) = delete;
  ChunkPipeline& operator=(const ChunkPipeline&) = delete;
  ChunkPipeline(ChunkPipeline&&) = delete;
  ChunkPipeline& operator=(ChunkPipeline&&) = delete;

  /// The next chunk, in exchange for a chunk whose memory may be reused; false at the end. Rethrows
  /// exceptions of threads. THROWS: MemoryError if there is too little memory even for a long record alone.
  bool next(ParsedChunk& chunk);
  /// Bytes of all chunks. REQUIRES: `next` has returned false.
  [[nodiscard]] std::uint64_t bytes() const { return reader_.bytes(); }

 private:
  enum class State : std::uint8_t { free, under_way, waits, ready, end };
  struct Slot {
    explicit Slot(const std::shared_ptr<ReadingMemory>& memory) : share(memory) {}

    State state = State::free;
    ReadingShare share;  // memory of a long record
    ChunkBuffer buffer;
    Chunk chunk;
    ParsedChunk parsed;
    std::exception_ptr failure;
  };

  using Lock = std::unique_lock<std::mutex>;

  void work(Parser& parser);
  void stop();
  /// Is there a free slot, and does no thread read? REQUIRES: the lock is held.
  [[nodiscard]] bool can_begin() const;
  /// Reads the next chunk into a slot and parses it. REQUIRES: `can_begin`; the lock is held; it is released
  /// during the work.
  void do_chunk(Parser& parser, Lock& lock);
  /// Parses a chunk that has waited until no other chunk is in progress. REQUIRES: as `do_chunk`.
  void do_alone(Slot& slot, Lock& lock);
  /// Calls work() without the lock, and stores its exception.
  template <class Work>
  static void without_lock(Lock& lock, Slot& slot, Work&& work);
  void finish(Slot& slot, bool is_last);
  void parse(Slot& slot, Parser& parser) const;
  [[nodiscard]] bool is_long(const Slot& slot) const { return slot.chunk.bytes.size() > 2 * options_.chunk; }
  /// The memory of a long record, including its buffer.
  [[nodiscard]] std::size_t memory_of(const Slot& slot) const {
    return slot.chunk.bytes.size() * format_.memory_per_byte();
  }

  /// The options with chunks that are small enough for the memory. `usual_share_` counts the memory of all
  /// chunks beyond the usual amount.
  Options fitted(Options options);
  static std::size_t slots_for(unsigned threads) { return threads > 1 ? 2 * threads : 1; }

  ByteSource& source_;
  const Format& format_;
  ReadingShare usual_share_;
  Options options_;
  ChunkReader reader_;
  std::deque<Slot> slots_;                        // chunk n is in slot n modulo the number of slots
  std::vector<std::unique_ptr<Parser>> parsers_;  // one per thread
  std::unique_ptr<Parser> own_parser_;            // for the thread that calls `next`; null if that thread
                                                  // only waits

  std::mutex mutex_;
  std::condition_variable can_begin_;  // for the threads
  std::condition_variable can_go_on_;  // for the thread that calls `next`
  std::uint64_t begun_ = 0;            // number of chunks started
  std::uint64_t delivered_ = 0;        // number of chunks delivered
  bool reading_ = false;               // a thread uses the reader
  bool one_waits_ = false;             // a long record waits until other chunks are done
  ReadingShare handed_out_;            // memory of the chunk that `next` returned last
  bool ended_ = false;                 // nothing is left to read
  ThreadGroup threads_;
};

}  // namespace askfew

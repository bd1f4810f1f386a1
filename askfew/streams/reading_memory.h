#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "askfew/system/memory_limit.h"

namespace askfew {

/// The memory of all parts of reading together, counted against a memory limit. A usual amount is free: only
/// the memory beyond it counts, for very long lines, wide tables and many labels. The parts may be in several
/// threads.
class ReadingMemory {
 public:
  static constexpr std::size_t usual = std::size_t{8} << 20;

  /// Without a limit nothing is refused.
  explicit ReadingMemory(std::shared_ptr<MemoryLimit> limit) : limit_(limit), share_(std::move(limit)) {}
  ~ReadingMemory() { share_.resize(0, ""); }
  ReadingMemory(const ReadingMemory&) = delete;
  ReadingMemory& operator=(const ReadingMemory&) = delete;
  ReadingMemory(ReadingMemory&&) = delete;
  ReadingMemory& operator=(ReadingMemory&&) = delete;

  /// A part grows or shrinks from `before` to `after` bytes, for `what`. THROWS: MemoryError, and then
  /// nothing changes.
  void change(std::size_t before, std::size_t after, std::string_view what);
  /// The most memory that reading could ever take.
  [[nodiscard]] std::size_t most() const;

 private:
  std::mutex mutex_;
  std::shared_ptr<MemoryLimit> limit_;
  MemoryShare share_;
  std::size_t used_ = 0;
};

/// The memory of one part of reading; the destructor gives it back.
class ReadingShare {
 public:
  explicit ReadingShare(std::shared_ptr<ReadingMemory> memory) : memory_(std::move(memory)) {}
  ~ReadingShare() { resize(0, ""); }
  ReadingShare(const ReadingShare&) = delete;
  ReadingShare& operator=(const ReadingShare&) = delete;
  ReadingShare(ReadingShare&&) = delete;
  ReadingShare& operator=(ReadingShare&&) = delete;

  /// Call before the part grows to `bytes`, or after it shrank to `bytes`. THROWS: MemoryError.
  void resize(std::size_t bytes, std::string_view what) {
    if (memory_ == nullptr || bytes == taken_) return;
    memory_->change(taken_, bytes, what);
    taken_ = bytes;
  }
  /// The same, but returns whether there was enough memory.
  [[nodiscard]] bool try_resize(std::size_t bytes);
  /// Swaps the amounts of two shares. REQUIRES: both shares belong to the same memory.
  void swap(ReadingShare& other) { std::swap(taken_, other.taken_); }

 private:
  std::shared_ptr<ReadingMemory> memory_;
  std::size_t taken_ = 0;
};

}  // namespace askfew

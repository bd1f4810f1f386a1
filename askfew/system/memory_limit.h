#pragma once

// A limit for memory that grows with a stream, shared by all that takes it.

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {

/// 2500000 -> "2.5 MB".
std::string text_of_bytes(std::size_t bytes);

/// A limit for the total memory of the matrices and stored examples of all learners of a run.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t max_bytes) : max_(max_bytes) {}

  /// Takes bytes for `what`. THROWS: MemoryError, and then takes nothing.
  void take(std::size_t bytes, std::string_view what);
  void give_back(std::size_t bytes) { taken_ -= bytes; }
  [[nodiscard]] std::size_t most() const { return max_; }
  [[nodiscard]] std::size_t taken() const { return taken_; }
  [[nodiscard]] std::size_t left() const {
    const std::size_t taken = taken_;
    return taken < max_ ? max_ - taken : 0;
  }

  /// While a Lifted object exists, memory is counted but never refused. This is for decisions that were made
  /// before, such as the lines of a ledger. Afterwards, more than the limit may be in use. REQUIRES: no other
  /// thread uses the limit when the object is constructed or destroyed.
  class Lifted {
   public:
    /// `limit`: null if there is no limit.
    explicit Lifted(MemoryLimit* limit) : limit_(limit) {
      if (limit_ != nullptr) was_lifted_ = std::exchange(limit_->is_lifted_, true);
    }
    ~Lifted() {
      if (limit_ != nullptr) limit_->is_lifted_ = was_lifted_;
    }
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;
    Lifted(Lifted&&) = delete;
    Lifted& operator=(Lifted&&) = delete;

   private:
    MemoryLimit* limit_;
    bool was_lifted_ = false;
  };

 private:
  std::size_t max_;
  std::atomic<std::size_t> taken_ = 0;
  bool is_lifted_ = false;
};

/// The memory that one structure has taken from a limit.
class MemoryShare {
 public:
  explicit MemoryShare(std::shared_ptr<MemoryLimit> limit) : limit_(std::move(limit)) {}

  /// Call before the structure grows to `bytes`, or after it shrank to `bytes`. THROWS: MemoryError.
  void resize(std::size_t bytes, std::string_view what) {
    if (limit_ == nullptr) return;
    if (bytes > taken_) limit_->take(bytes - taken_, what);
    if (bytes < taken_) limit_->give_back(taken_ - bytes);
    taken_ = bytes;
  }
  /// The additional bytes needed to reach `bytes`.
  [[nodiscard]] std::size_t growth_to(std::size_t bytes) const { return bytes > taken_ ? bytes - taken_ : 0; }

 private:
  std::shared_ptr<MemoryLimit> limit_;
  std::size_t taken_ = 0;
};

}  // namespace askfew

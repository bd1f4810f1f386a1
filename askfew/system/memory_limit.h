#pragma once

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

/// How much the matrices and stored examples of all learners of a run may take together.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t max_bytes) : max_(max_bytes) {}

  /// Takes bytes for `what`. THROWS: MemoryError, and then takes none.
  void take(std::size_t bytes, std::string_view what);
  void give_back(std::size_t bytes) { taken_ -= bytes; }
  [[nodiscard]] std::size_t most() const { return max_; }
  [[nodiscard]] std::size_t taken() const { return taken_; }
  [[nodiscard]] std::size_t left() const {
    const std::size_t taken = taken_;
    return taken < max_ ? max_ - taken : 0;
  }

  /// While one of these lives, everything is counted and nothing refused: for what was decided before, as the
  /// lines of a ledger. More than the limit may be taken afterwards. REQUIRES: no other thread uses the limit
  /// when it begins or ends.
  class Lifted {
   public:
    /// `limit`: null if there is none.
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

/// What one structure has taken of a limit.
class MemoryShare {
 public:
  explicit MemoryShare(std::shared_ptr<MemoryLimit> limit) : limit_(std::move(limit)) {}

  /// To be called before the structure grows to (or after it shrank to) `bytes`. THROWS: MemoryError.
  void resize(std::size_t bytes, std::string_view what) {
    if (limit_ == nullptr) return;
    if (bytes > taken_) limit_->take(bytes - taken_, what);
    if (bytes < taken_) limit_->give_back(taken_ - bytes);
    taken_ = bytes;
  }
  /// By how much more `bytes` would be than what it has taken.
  [[nodiscard]] std::size_t growth_to(std::size_t bytes) const { return bytes > taken_ ? bytes - taken_ : 0; }

 private:
  std::shared_ptr<MemoryLimit> limit_;
  std::size_t taken_ = 0;
};

}  // namespace askfew

#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

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
  [[nodiscard]] std::size_t left() const { return max_ - taken_; }

 private:
  std::size_t max_;
  std::atomic<std::size_t> taken_ = 0;
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

 private:
  std::shared_ptr<MemoryLimit> limit_;
  std::size_t taken_ = 0;
};

}  // namespace askfew

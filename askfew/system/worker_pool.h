#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace askfew {

/// Threads that wait for work: `run(job)` calls job(0), ..., job(size-1) at the same time and returns when
/// all are done. The caller's thread is one of them.
class WorkerPool {
 public:
  /// REQUIRES: size >= 1.
  explicit WorkerPool(unsigned size);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  WorkerPool(WorkerPool&&) = delete;
  WorkerPool& operator=(WorkerPool&&) = delete;

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }
  /// REQUIRES: job does not throw.
  void run(const std::function<void(unsigned)>& job);

 private:
  void work(unsigned worker);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(unsigned)>* job_ = nullptr;
  std::uint64_t generation_ = 0;
  unsigned unfinished_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace askfew

#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "askfew/system/thread_group.h"

namespace askfew {

/// Threads that wait for work. `run(job)` calls job(0), ..., job(size-1) at the same time and returns when
/// all calls are done. The caller's thread runs one of the calls. One thread at a time may use a pool.
class WorkerPool {
 public:
  /// REQUIRES: size >= 1. THROWS: ResourceError if the system refuses a thread.
  explicit WorkerPool(unsigned size);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  WorkerPool(WorkerPool&&) = delete;
  WorkerPool& operator=(WorkerPool&&) = delete;

  [[nodiscard]] unsigned size() const { return threads_.size() + 1; }
  /// When all calls are done, rethrows the exception of the first worker (by number) that threw.
  void run(const std::function<void(unsigned)>& job);

 private:
  void work(unsigned worker);
  void stop();
  void do_job(unsigned worker);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(unsigned)>* job_ = nullptr;
  std::vector<std::exception_ptr> failures_;  // one per worker
  std::uint64_t generation_ = 0;
  unsigned unfinished_ = 0;
  bool stopping_ = false;
  ThreadGroup threads_;
};

}  // namespace askfew

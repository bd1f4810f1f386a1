#include "askfew/system/worker_pool.h"

namespace askfew {

WorkerPool::WorkerPool(unsigned size) {
  for (unsigned worker = 1; worker < size; ++worker) threads_.emplace_back([this, worker] { work(worker); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(const std::function<void(unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    unfinished_ = static_cast<unsigned>(threads_.size());
    ++generation_;
  }
  wake_.notify_all();
  job(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return unfinished_ == 0; });
}

void WorkerPool::work(unsigned worker) {
  std::uint64_t seen = 0;
  while (true) {
    const std::function<void(unsigned)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
      job = job_;
    }
    (*job)(worker);
    const std::lock_guard lock(mutex_);
    if (--unfinished_ == 0) done_.notify_one();
  }
}

}  // namespace askfew

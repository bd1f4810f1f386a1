#include "askfew/system/worker_pool.h"

#include <algorithm>

namespace askfew {

WorkerPool::WorkerPool(unsigned size) : failures_(size) {
  threads_.start(
      size - 1, [this](unsigned number) { work(number + 1); }, [this] { stop(); });
}

WorkerPool::~WorkerPool() {
  stop();
  threads_.join();
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

void WorkerPool::run(const std::function<void(unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    std::fill(failures_.begin(), failures_.end(), nullptr);
    job_ = &job;
    unfinished_ = threads_.size();
    ++generation_;
  }
  wake_.notify_all();
  do_job(0);
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return unfinished_ == 0; });
  }
  for (const std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

void WorkerPool::do_job(unsigned worker) {
  try {
    (*job_)(worker);
  } catch (...) {
    failures_[worker] = std::current_exception();
  }
}

void WorkerPool::work(unsigned worker) {
  std::uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
      if (stopping_) return;
      seen = generation_;
    }
    do_job(worker);
    const std::lock_guard lock(mutex_);
    if (--unfinished_ == 0) done_.notify_one();
  }
}

}  // namespace askfew

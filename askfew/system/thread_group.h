#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace askfew {

/// Threads that start together and end together. One thread at a time may use a group.
class ThreadGroup {
 public:
  ThreadGroup() = default;
  /// REQUIRES: `join` was called after `start`.
  ~ThreadGroup() = default;
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;
  ThreadGroup(ThreadGroup&&) = delete;
  ThreadGroup& operator=(ThreadGroup&&) = delete;

  /// Starts `count` threads that call work(0), ..., work(count - 1). `stop` must make all calls of work
  /// return. REQUIRES: work does not throw. THROWS: ResourceError if the system refuses a thread, and then no
  /// thread is left running.
  void start(unsigned count, const std::function<void(unsigned)>& work, const std::function<void()>& stop);
  /// Waits until all threads have returned.
  void join();

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(threads_.size()); }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace askfew

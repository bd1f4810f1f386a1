#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace askfew::cli {

/// Has a signal been seen? Never, unless they are handled.
const std::atomic<bool>& interrupted_flag();

/// From now on the first Ctrl-C (or SIGTERM, SIGHUP) sets this flag and ends a read that waits; the second
/// ends the program.
const std::atomic<bool>& handle_interrupts();

/// While this object lives, a signal leaves the program `seconds` to end by itself. After that the program
/// prints `last_words` to standard error and ends at once, whatever its threads do. REQUIRES: signals are
/// handled, and nothing is lost at any moment: what must be kept is on the disk.
class EndAfterInterrupt {
 public:
  EndAfterInterrupt(double seconds, std::string last_words);
  ~EndAfterInterrupt();
  EndAfterInterrupt(const EndAfterInterrupt&) = delete;
  EndAfterInterrupt& operator=(const EndAfterInterrupt&) = delete;

 private:
  void wait();

  double seconds_;
  std::string last_words_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

/// 128 + the number of the signal that was seen.
int interrupted_exit_code();

}  // namespace askfew::cli

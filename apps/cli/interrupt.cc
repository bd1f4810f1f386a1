#include "apps/cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>

namespace askfew::cli {
namespace {

std::atomic<bool> seen = false;
std::atomic<int> signal_seen = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int signal) {
  signal_seen = signal;
  seen = true;
}

}  // namespace

const std::atomic<bool>& interrupted_flag() {
  return seen;
}

const std::atomic<bool>& handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a read that waits must end
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  return seen;
}

EndAfterInterrupt::EndAfterInterrupt(double seconds, std::string last_words)
    : seconds_(seconds), last_words_(std::move(last_words)), thread_([this] { wait(); }) {}

EndAfterInterrupt::~EndAfterInterrupt() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// A signal handler cannot wake a thread, so that the thread looks at the flag from time to time.
void EndAfterInterrupt::wait() {
  constexpr std::chrono::milliseconds pause(20);
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return over_; };
  while (!seen) {
    if (changed_.wait_for(lock, pause, is_over)) return;
  }
  if (changed_.wait_for(lock, std::chrono::duration<double>(seconds_), is_over)) return;
  std::cerr << last_words_ << std::flush;
  std::_Exit(interrupted_exit_code());
}

int interrupted_exit_code() {
  return 128 + signal_seen;
}

}  // namespace askfew::cli

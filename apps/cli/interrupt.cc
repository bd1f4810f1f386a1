#include "apps/cli/interrupt.h"

#include <csignal>

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

int interrupted_exit_code() {
  return 128 + signal_seen;
}

}  // namespace askfew::cli

#pragma once

#include <atomic>

namespace askfew::cli {

/// Has a signal been seen? Never, unless they are handled.
const std::atomic<bool>& interrupted_flag();

/// From now on the first Ctrl-C (or SIGTERM, SIGHUP) sets this flag and ends a read that waits; the second
/// ends the program.
const std::atomic<bool>& handle_interrupts();

/// 128 + the number of the signal that was seen.
int interrupted_exit_code();

}  // namespace askfew::cli

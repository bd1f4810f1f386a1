#include "askfew/system/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace askfew {
namespace {

constexpr int milliseconds_between_looks = 50;  // between two checks of `stop`
constexpr int most_looks_once_stopped = 1000 / milliseconds_between_looks;

/// An interruption counts as not ready: the caller checks again.
bool is_ready_soon(int descriptor, short events) {
  pollfd waiting{.fd = descriptor, .events = events, .revents = 0};
  return poll(&waiting, 1, milliseconds_between_looks) == 1;
}

bool wait_for_room(int descriptor, const std::atomic<bool>* stop) {
  int looks = 0;
  while (!is_ready_soon(descriptor, POLLOUT)) {
    if (stop != nullptr && *stop && ++looks == most_looks_once_stopped) return false;
  }
  return true;
}

}  // namespace

bool is_regular_file(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_readable_soon(int descriptor) {
  return is_ready_soon(descriptor, POLLIN);
}

int write_all(int descriptor, std::string_view bytes, const std::atomic<bool>* stop) {
  const bool may_wait = !is_regular_file(descriptor);
  while (!bytes.empty()) {
    if (may_wait && !wait_for_room(descriptor, stop)) return ECANCELED;
    // If a pipe has room at all, it has room for so many bytes: the write does not block.
    const std::size_t piece = may_wait ? std::min<std::size_t>(bytes.size(), PIPE_BUF) : bytes.size();
    const ssize_t wrote = write(descriptor, bytes.data(), piece);
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (wrote < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

}  // namespace askfew

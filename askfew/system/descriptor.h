#pragma once

// Reading from and writing to file descriptors.

#include <atomic>
#include <string_view>

namespace askfew {

/// Is the descriptor a file on a disk, not a pipe, a terminal or a device?
bool is_regular_file(int descriptor);

/// Waits for bytes or for the end of the input; gives up after a short time. Returns at once for a file on a
/// disk.
bool is_readable_soon(int descriptor);

/// Writes all bytes. Waits for a slow reader, even if the descriptor is non-blocking. Returns 0 or the error
/// number. Once `stop` is set, waits at most one second for a reader, then returns ECANCELED.
int write_all(int descriptor, std::string_view bytes, const std::atomic<bool>* stop = nullptr);

}  // namespace askfew

#pragma once

#include <atomic>
#include <string_view>

namespace askfew {

/// Is it a file on a disk, and not a pipe, a terminal or a device?
bool is_regular_file(int descriptor);

/// Waits for bytes to read, or for the end; gives up after a short while. Does not wait for a file on a disk.
bool is_readable_soon(int descriptor);

/// Writes all of it, waiting for a reader where there is one, also if the descriptor is one that does not
/// wait. Returns 0, or the error that was met. Once `stop` is set, a reader who does not read is waited for
/// no longer than a second: ECANCELED.
int write_all(int descriptor, std::string_view bytes, const std::atomic<bool>* stop = nullptr);

}  // namespace askfew

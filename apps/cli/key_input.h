#pragma once

#include <atomic>
#include <optional>
#include <termios.h>

namespace askfew::cli {

/// Single keys from standard input. On a terminal they need no return key and are not shown; the terminal
/// gets its old mode back at the end.
class KeyInput {
 public:
  /// REQUIRES: `stop` outlives this object.
  explicit KeyInput(const std::atomic<bool>& stop);
  ~KeyInput();
  KeyInput(const KeyInput&) = delete;
  KeyInput& operator=(const KeyInput&) = delete;
  KeyInput(KeyInput&&) = delete;
  KeyInput& operator=(KeyInput&&) = delete;

  /// Waits for a key; nothing at the end of the input, or when stopped.
  std::optional<char> next() const;

 private:
  const std::atomic<bool>& stop_;
  std::optional<termios> before_;
};

}  // namespace askfew::cli

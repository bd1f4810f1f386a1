#include "apps/cli/key_input.h"

#include <cerrno>
#include <unistd.h>

#include "askfew/system/descriptor.h"

namespace askfew::cli {

KeyInput::KeyInput(const std::atomic<bool>& stop) : stop_(stop) {
  termios mode{};
  if (tcgetattr(STDIN_FILENO, &mode) != 0) return;  // no terminal
  before_ = mode;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  static_cast<void>(tcsetattr(STDIN_FILENO, TCSANOW, &mode));
}

KeyInput::~KeyInput() {
  if (before_) static_cast<void>(tcsetattr(STDIN_FILENO, TCSANOW, &*before_));
}

std::optional<char> KeyInput::next() const {
  while (!stop_) {
    if (!is_readable_soon(STDIN_FILENO)) continue;
    char key = 0;
    const ssize_t got = read(STDIN_FILENO, &key, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    constexpr char end_of_input = 4;  // Ctrl-D
    if (got <= 0 || key == end_of_input) return std::nullopt;
    return key;
  }
  return std::nullopt;
}

}  // namespace askfew::cli

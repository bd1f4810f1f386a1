#include "askfew/sessions/serve.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/sessions/line_buffer.h"

namespace askfew {
namespace {

/// Writes all of it, and says whether somebody was there to read it.
bool write_all(int out, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = write(out, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EPIPE) return false;
    if (wrote < 0) throw FileError(std::string("cannot write the answers: ") + std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace

bool serve(int in, int out, const AnswerLines& answer, const std::atomic<bool>& stop) {
  LineBuffer input;
  std::string answers;
  const auto answer_all = [&](std::span<const std::string_view> lines) {
    answers.clear();
    if (!lines.empty()) answer(lines, answers);
    return write_all(out, answers);
  };
  while (!stop) {
    const std::span<char> room = input.room();
    const ssize_t got = read(in, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(std::string("<stdin>: cannot read: ") + std::strerror(errno));
    if (got == 0) return answer_all(input.last_line());
    if (!answer_all(input.lines(static_cast<std::size_t>(got)))) return false;
  }
  return true;
}

}  // namespace askfew

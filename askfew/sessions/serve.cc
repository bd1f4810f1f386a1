#include "askfew/sessions/serve.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/sessions/line_buffer.h"
#include "askfew/system/descriptor.h"

namespace askfew {
namespace {

/// Writes all bytes; returns whether there was a reader.
bool write_answers(int out, std::string_view bytes, const std::atomic<bool>& stop) {
  const int error = write_all(out, bytes, &stop);
  if (error == EPIPE || error == ECANCELED) return false;
  if (error != 0) throw FileError(std::string("cannot write the answers: ") + std::strerror(error));
  return true;
}

}  // namespace

bool serve(int in, int out, const AnswerLines& answer, const std::atomic<bool>& stop) {
  LineBuffer input;
  std::string answers;
  const auto answer_all = [&](std::span<const std::string_view> lines) {
    answers.clear();
    if (!lines.empty()) answer(lines, answers);
    return write_answers(out, answers, stop);
  };
  while (!stop) {
    if (!is_readable_soon(in)) continue;
    const std::span<char> room = input.room();
    const ssize_t got = read(in, room.data(), room.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) throw FileError(std::string("<stdin>: cannot read: ") + std::strerror(errno));
    if (got == 0) return answer_all(input.last_line());
    if (!answer_all(input.lines(static_cast<std::size_t>(got)))) return false;
  }
  return true;
}

}  // namespace askfew

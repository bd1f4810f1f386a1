#pragma once

// Reads lines from a pipe and writes the answers to another.

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <string_view>

// Threads: many threads may call this at the same time, each with files of its own. `stop` may be set by any
// thread, and by a signal handler.

namespace askfew {

/// Appends the answers to lines that were available at the same time.
using AnswerLines = std::function<void(std::span<const std::string_view> lines, std::string& answers)>;

/// Reads lines from one descriptor and writes the answers to the other, until the input ends or `stop` is
/// set. Answers are never delayed: all available lines are answered before more is read. Returns whether the
/// answers had a reader to the end. THROWS: FileError, and what `answer` throws.
bool serve(int in, int out, const AnswerLines& answer, const std::atomic<bool>& stop);

}  // namespace askfew

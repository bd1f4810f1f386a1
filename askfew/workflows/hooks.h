#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "askfew/streams/stream.h"

namespace askfew {

/// How a caller follows a workflow, and ends it early. Everything may be left empty. The functions are called
/// by the thread that called the workflow, unless they say otherwise.
struct Hooks {
  /// Set from outside, by any thread or a signal: the workflow ends as soon as it can, and its result says
  /// so.
  const std::atomic<bool>* stop = nullptr;
  /// Something that takes a while begins, e.g. "making data.csv.askcache".
  std::function<void(const std::string& what)> begins{};
  /// The reading has ended, well or not, and these examples were left out. Not called if none was.
  std::function<void(const Skipped& skipped)> skipped{};

  [[nodiscard]] bool stopped() const { return stop != nullptr && *stop; }
};

}  // namespace askfew

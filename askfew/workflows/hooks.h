#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "askfew/streams/stream.h"

namespace askfew {

/// Gets what is doubtful about data, or which sampler fails on it: one sentence.
using Doubt = std::function<void(const std::string& sentence)>;

/// Callbacks to follow a workflow and a flag to end it early. All members may be empty. The functions are
/// called on the thread that called the workflow, unless stated otherwise.
struct Hooks {
  /// Set from outside, by any thread or a signal: the workflow ends as soon as possible, and its result says
  /// so.
  const std::atomic<bool>* stop = nullptr;
  /// A slow step begins, e.g. "making data.csv.askcache".
  std::function<void(const std::string& what)> begins{};
  /// Reading has ended, with or without an error, and these examples were skipped. Not called if no example
  /// was skipped.
  std::function<void(const Skipped& skipped)> skipped{};
  /// Something about the data is probably a mistake, or was left out: one sentence. Called when the data is
  /// read. Results that have notes have the sentence, too. Experiments call it also at their end, for each
  /// sampler that fails while others do not.
  Doubt doubt{};

  [[nodiscard]] bool stopped() const { return stop != nullptr && *stop; }
};

}  // namespace askfew

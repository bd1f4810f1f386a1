#pragma once

#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/streams/reading_memory.h"

namespace askfew {

/// Numbers for labels that are texts. A text that is a whole number (7, -1) is its own; the others are
/// numbered from `first` on, as they come. Threads that parse may add names at the same time: which number a
/// name gets may then differ from run to run, and nothing may depend on it.
class LabelNames {
 public:
  static constexpr Examples::LabelId first = Examples::LabelId{1} << 30;

  /// What they take is counted, if there is a memory.
  explicit LabelNames(std::shared_ptr<ReadingMemory> memory = nullptr) : share_(std::move(memory)) {}

  /// THROWS: MemoryError.
  Examples::LabelId id(std::string_view name);
  /// REQUIRES: `id` gave this number.
  [[nodiscard]] std::string name(Examples::LabelId id) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, Examples::LabelId, std::less<>> ids_;
  std::vector<std::string> names_;
  ReadingShare share_;
  std::size_t memory_ = 0;  // about what they take
};

}  // namespace askfew

#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/streams/reading_memory.h"

namespace askfew {

/// Numbers for labels that are texts. A text that is a whole number (7, -1) has that number; other texts are
/// numbered from `first` on, as they come. Parsing threads may add names at the same time: the number of a
/// name may then differ from run to run, and no result may depend on it.
class LabelNames {
 public:
  static constexpr Examples::LabelId first = Examples::LabelId{1} << 30;
  /// The number of all names that come after `close` and were not known before.
  static constexpr Examples::LabelId unknown = std::numeric_limits<Examples::LabelId>::max();

  /// The memory of the names is counted if `memory` is not null.
  explicit LabelNames(std::shared_ptr<ReadingMemory> memory = nullptr) : share_(std::move(memory)) {}

  /// THROWS: MemoryError.
  Examples::LabelId id(std::string_view name);
  /// From now on no name is added, so that unknown names take no memory. REQUIRES: only one thread uses the
  /// object.
  void close() { is_closed_ = true; }
  /// REQUIRES: `id` returned this number, and it is not `unknown`.
  [[nodiscard]] std::string name(Examples::LabelId id) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, Examples::LabelId, std::less<>> ids_;
  std::vector<std::string> names_;
  ReadingShare share_;
  std::size_t memory_ = 0;  // approximate memory of the names
  bool is_closed_ = false;
};

}  // namespace askfew

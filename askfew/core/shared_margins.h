#pragma once

#include "askfew/core/features.h"

namespace askfew {

/// Work that several tasks share: done once per instance for all tasks.
class SharedMargins {
 public:
  SharedMargins() = default;
  SharedMargins(const SharedMargins&) = delete;
  SharedMargins& operator=(const SharedMargins&) = delete;
  SharedMargins(SharedMargins&&) = delete;
  SharedMargins& operator=(SharedMargins&&) = delete;
  virtual ~SharedMargins() = default;

  /// Computes in advance what the tasks need for x; changes no result. x must not change until the next call.
  /// `next` will be prepared next: an implementation may start to load the memory that this will need.
  virtual void prepare(const FeatureView& x, const FeatureView& next) = 0;
  /// Discards the prepared work.
  void release() { prepare({}, {}); }
};

}  // namespace askfew

#pragma once

#include "askfew/core/features.h"

namespace askfew {

/// Work that several tasks share: done once an instance, for all of them.
class SharedMargins {
 public:
  SharedMargins() = default;
  SharedMargins(const SharedMargins&) = delete;
  SharedMargins& operator=(const SharedMargins&) = delete;
  SharedMargins(SharedMargins&&) = delete;
  SharedMargins& operator=(SharedMargins&&) = delete;
  virtual ~SharedMargins() = default;

  /// Does what the tasks will need when they are asked about x; changes no result. x must stay as it is until
  /// the next call.
  virtual void prepare(const FeatureView& x) = 0;
  /// x will be prepared next: what that needs may be fetched from memory while the tasks are at work.
  virtual void prefetch(const FeatureView& x) = 0;
  /// Nothing is prepared any more.
  void release() { prepare({}); }
};

}  // namespace askfew

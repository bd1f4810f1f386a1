#pragma once

#include "askfew/core/features.h"

namespace askfew {

/// Work that several tasks share: done once an instance, for all of them.
class SharedWork {
 public:
  SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;
  SharedWork(SharedWork&&) = delete;
  SharedWork& operator=(SharedWork&&) = delete;
  virtual ~SharedWork() = default;

  /// Does what the tasks will need when they are asked about x; changes no result. x must stay as it is until
  /// the next call.
  virtual void prepare(const FeatureView& x) = 0;
  /// x will be prepared next: what that needs may be fetched from memory while the tasks are at work.
  virtual void announce(const FeatureView& x) = 0;
  /// Nothing is prepared any more.
  void release() { prepare({}); }
};

}  // namespace askfew

#pragma once

#include <string>

#include "askfew/sessions/feature_names.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// Explains in one sentence why a label was asked or not.
class Why {
 public:
  /// REQUIRES: the session outlives this object.
  explicit Why(const Session& session) : session_(session), names_(session.model().config) {}

  /// REQUIRES: this instance is the last one that the session took; its line is still valid.
  const std::string& of(const Incoming& incoming, const Decision& decision);

 private:
  void add_features(const Incoming& incoming, const Explanation& why);

  const Session& session_;
  FeatureNames names_;
  std::string sentence_;
};

}  // namespace askfew

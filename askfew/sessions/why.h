#pragma once

#include <string>
#include <vector>

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
  /// The heaviest features of the last instance, by name, and their shares of the margin.
  struct Heavy {
    std::string name;
    double share = 0;
  };
  [[nodiscard]] const std::vector<Heavy>& heaviest() const { return heaviest_; }

 private:
  void add_features(const Incoming& incoming, const Explanation& why);

  const Session& session_;
  FeatureNames names_;
  std::string sentence_;
  std::vector<Heavy> heaviest_;
};

}  // namespace askfew

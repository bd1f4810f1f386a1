#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/sessions/feature_names.h"
#include "askfew/sessions/session.h"

namespace askfew {

/// Explains why labels were asked or not: one sentence per task.
class Why {
 public:
  /// REQUIRES: the session outlives this object.
  explicit Why(const Session& session) : session_(session), names_(session.model().config) {}

  /// A sentence per decision; of topics only those that are asked, the others are empty. REQUIRES: this
  /// instance is the last one that the session took; its line is still valid.
  std::span<const std::string> of(const Incoming& incoming, std::span<const Decision> decisions);
  /// The sentence about one decision, and the heaviest features. REQUIRES: as above.
  void explain(const Incoming& incoming, const Decision& decision, std::string& sentence);
  /// The heaviest features of the last decision that was explained, by name, and their shares of the margin.
  struct Heavy {
    std::string name;
    double share = 0;

    static void state(auto& self, auto& visit) {
      visit("name", self.name);
      visit("share", self.share);
    }
  };
  [[nodiscard]] const std::vector<Heavy>& heaviest() const { return heaviest_; }

 private:
  void add_features(const Incoming& incoming, const Explanation& why, std::string& sentence);

  const Session& session_;
  FeatureNames names_;
  std::vector<std::string> sentences_;
  std::vector<Heavy> heaviest_;
};

}  // namespace askfew

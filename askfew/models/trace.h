#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/round.h"

namespace askfew {

/// CSV with 17 significant digits: round,task,margin,probability,coin,asked,prediction,label,updated; with an
/// audit also audit,audit_coin,chance.
class TraceWriter {
 public:
  /// `classes`: the names for predictions and labels, if these are class numbers.
  /// `has_audit`: three more columns have the probability and the coin of the audit, and the total
  /// probability. `has_ids`: a last column has the ids of the instances.
  explicit TraceWriter(std::ostream& out, const std::vector<std::string>& classes = {},
                       bool has_audit = false, bool has_ids = false);
  /// Writes everything needed to replay the decision. REQUIRES: the label is known.
  void write(std::size_t task, const Round& round, std::string_view id = {});

 private:
  [[nodiscard]] std::string name_of(LabelNumber label) const;

  std::ostream& out_;
  std::vector<std::string> classes_;  // in the form that is written
  bool has_audit_;
  bool has_ids_;
};

}  // namespace askfew

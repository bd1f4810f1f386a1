#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "askfew/core/round.h"

namespace askfew {

/// CSV with 17 significant digits: round,task,margin,probability,coin,asked,prediction,label,updated.
class TraceWriter {
 public:
  /// `classes`: the names for predictions and labels, if these are class numbers.
  explicit TraceWriter(std::ostream& out, const std::vector<std::string>& classes = {});
  /// Writes everything needed to replay the decision. REQUIRES: the label is known.
  void write(std::size_t task, const Round& round);

 private:
  [[nodiscard]] std::string name_of(LabelNumber label) const;

  std::ostream& out_;
  std::vector<std::string> classes_;  // in the form that is written
};

}  // namespace askfew

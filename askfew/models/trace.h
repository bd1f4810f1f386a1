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
  /// `classes`: what predictions and labels are called, if they are numbers of classes.
  explicit TraceWriter(std::ostream& out, const std::vector<std::string>& classes = {});
  /// All that anyone needs to replay the decision. REQUIRES: the label is known.
  void write(std::size_t task, const Round& round);

 private:
  [[nodiscard]] std::string name_of(LabelNumber label) const;

  std::ostream& out_;
  std::vector<std::string> classes_;  // as they are written
};

}  // namespace askfew

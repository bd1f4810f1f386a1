#pragma once

#include <cstddef>
#include <ostream>

#include "askfew/core/query.h"

namespace askfew {

/// One decision, complete enough for anyone to replay it.
struct TraceRow {
  std::size_t task = 0;
  Query query;
  Label label = Label::negative;
  bool updated = false;
};

/// CSV with 17 significant digits: round,task,margin,probability,coin,asked,prediction,label,updated.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out);
  void write(const TraceRow& row);

 private:
  std::ostream& out_;
};

}  // namespace askfew

#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "askfew/core/query.h"

namespace askfew {

/// One decision, complete enough for anyone to replay it.
struct TraceRow {
  std::size_t task = 0;
  Query query;
  std::int64_t prediction = -1;  ///< -1 or +1; of a multi-class task the number of the class, from 0
  std::int64_t label = -1;       ///< likewise
  bool updated = false;
};

/// CSV with 17 significant digits: round,task,margin,probability,coin,asked,prediction,label,updated.
class TraceWriter {
 public:
  /// `classes`: what predictions and labels are called, if they are numbers of classes.
  explicit TraceWriter(std::ostream& out, const std::vector<std::string>& classes = {});
  void write(const TraceRow& row);

 private:
  [[nodiscard]] std::string name_of(std::int64_t label) const;

  std::ostream& out_;
  std::vector<std::string> classes_;  // as they are written
};

}  // namespace askfew

#pragma once

#include <ostream>

#include "askfew/streams/stream.h"

namespace askfew {

/// Writes examples as svmlight text, with enough digits for every bit. Features with value 0 are omitted.
class SvmlightWriter {
 public:
  explicit SvmlightWriter(std::ostream& out) : out_(out) {}

  /// THROWS: ConfigError for a label that is not a number.
  void add(const Examples& block, const Stream& stream);

 private:
  std::ostream& out_;
};

}  // namespace askfew

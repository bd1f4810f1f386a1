#pragma once

#include <ostream>

#include "askfew/streams/stream.h"

namespace askfew {

/// Writes examples as svmlight text, with as many digits as every bit needs. Features that are 0 are left
/// out.
class SvmlightWriter {
 public:
  explicit SvmlightWriter(std::ostream& out) : out_(out) {}

  /// THROWS: ConfigError for a label that is not a number.
  void add(const Examples& block, const Stream& stream);

 private:
  std::ostream& out_;
};

}  // namespace askfew

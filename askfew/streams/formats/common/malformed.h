#pragma once

#include <string>

namespace askfew {

/// What is wrong with a record, and where. Thrown inside parsers: malformed records are rare, and what reads
/// the others is then as simple as they are.
struct Malformed {
  const char* place;
  std::string why;
};

}  // namespace askfew

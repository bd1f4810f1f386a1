#pragma once

#include <string>

namespace askfew {

/// The fault of a record and its place. Thrown inside parsers: malformed records are rare, and exceptions
/// keep the code for other records simple.
struct Malformed {
  const char* place;
  std::string why;
};

}  // namespace askfew

#pragma once

// The header of an ARFF file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/streams/byte_source.h"

namespace askfew {

/// A column of an ARFF file as its header declares it.
struct ArffAttribute {
  enum class Type : std::uint8_t { numeric, nominal, string, date };

  std::string name;
  Type type = Type::numeric;
  std::vector<std::string> values{};  ///< for a nominal attribute
};

struct ArffHeader {
  std::vector<ArffAttribute> attributes;
  std::uint64_t lines = 0;
};

/// Reads up to the line @data. `share` counts the memory of the header and of the objects made from it.
/// THROWS: DataError, MemoryError.
ArffHeader read_arff_header(ByteSource& source, ReadingShare& share);

}  // namespace askfew

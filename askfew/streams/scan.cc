#include "askfew/streams/scan.h"

#include <algorithm>

namespace askfew {

tl::expected<Scan, ParseError> scan(Stream& stream) {
  Scan found{.dimension = stream.dimension()};
  Examples block;
  while (true) {
    block.clear();
    const auto more = stream.read(block);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return found;
    ++found.examples;
    found.dimension = std::max(found.dimension, block.x(0).extent());
    found.labels.insert(block.labels(0).begin(), block.labels(0).end());
  }
}

}  // namespace askfew

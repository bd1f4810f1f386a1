#include "askfew/streams/scan.h"

#include <algorithm>

namespace askfew {

tl::expected<Scan, ParseError> scan(Stream& stream) {
  Scan found{.dimension = stream.facts().dimension};
  Examples block;
  while (true) {
    const auto more = stream.next(block);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return found;
    found.examples += block.size();
    for (std::size_t row = 0; row < block.size(); ++row) {
      found.dimension = std::max(found.dimension, block.x(row).extent());
      for (const Examples::LabelId id : block.labels(row)) ++found.labels[id];
    }
  }
}

}  // namespace askfew

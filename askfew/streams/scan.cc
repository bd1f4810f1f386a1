#include "askfew/streams/scan.h"

#include <algorithm>

#include "askfew/streams/reading_memory.h"

namespace askfew {

tl::expected<Scan, ParseError> scan(Stream& stream, const std::shared_ptr<MemoryLimit>& memory) {
  constexpr std::size_t memory_a_label = 72;  // a node of the map, and a place in the order
  Scan found{.dimension = stream.facts().dimension};
  ReadingShare share(std::make_shared<ReadingMemory>(memory));
  Examples block;
  while (true) {
    const auto more = stream.next(block);
    if (!more) return tl::make_unexpected(more.error());
    if (!*more) return found;
    found.examples += block.size();
    for (std::size_t row = 0; row < block.size(); ++row) {
      found.dimension = std::max(found.dimension, block.x(row).extent());
      for (const Examples::LabelId id : block.labels(row)) {
        if (++found.labels[id] == 1) found.order.push_back(id);
      }
    }
    share.resize(found.labels.size() * memory_a_label, "the labels");
  }
}

}  // namespace askfew

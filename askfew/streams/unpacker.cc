#include "askfew/streams/unpacker.h"

#include <algorithm>
#include <array>
#include <utility>

namespace askfew {
namespace {

/// The first bytes of a compressed file; bits outside the mask may be anything.
struct Packing {
  std::string_view magic;
  unsigned char first_mask;
  std::unique_ptr<Unpacker> (*unpacker)(const std::shared_ptr<ReadingMemory>& memory);

  /// Do these bytes agree with the magic bytes, as far as both go?
  [[nodiscard]] bool agrees(std::string_view bytes) const {
    const std::size_t size = std::min(bytes.size(), magic.size());
    if (size == 0) return true;
    const auto first = static_cast<unsigned char>(static_cast<unsigned char>(bytes[0]) & first_mask);
    return first == static_cast<unsigned char>(magic[0]) &&
           bytes.substr(1, size - 1) == magic.substr(1, size - 1);
  }
};

constexpr std::array packings{
    Packing{"\x1f\x8b", 0xff, gzip_unpacker}, Packing{"\x28\xb5\x2f\xfd", 0xff, zstd_unpacker},
    Packing{"\x50\x2a\x4d\x18", 0xf0, zstd_unpacker},  // a skippable frame, which some programs write first
};

}  // namespace

bool may_begin_packed(std::string_view first_bytes) {
  return std::any_of(packings.begin(), packings.end(), [&](const Packing& packing) {
    return first_bytes.size() < packing.magic.size() && packing.agrees(first_bytes);
  });
}

std::unique_ptr<Unpacker> unpacker_for(std::string_view first_bytes,
                                       const std::shared_ptr<ReadingMemory>& memory) {
  for (const Packing& packing : packings) {
    if (first_bytes.size() >= packing.magic.size() && packing.agrees(first_bytes)) {
      return packing.unpacker(memory);
    }
  }
  return nullptr;
}

}  // namespace askfew

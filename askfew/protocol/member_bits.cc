#include "askfew/protocol/member_bits.h"

#include <array>
#include <cstring>

#include "askfew/core/expects.h"

namespace askfew {

std::uint64_t positive_bits(std::span<const Label> labels) {
  static constexpr auto all_negative = [] {
    std::array<Label, max_members> all{};
    all.fill(Label::negative);
    return all;
  }();
  EXPECTS(labels.size() <= all_negative.size());
  if (labels.empty()) return 0;  // memcmp takes no null pointer
  // Few instances have one of these labels.
  if (std::memcmp(labels.data(), all_negative.data(), labels.size() * sizeof(Label)) == 0) return 0;
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    bits |= std::uint64_t{labels[k] == Label::positive} << k;
  }
  return bits;
}

}  // namespace askfew

#include "askfew/features/byte_classes.h"

#include <algorithm>
#include <cstring>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/features/byte_classes.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The bits of a mask of at most 64 lanes, the first lane lowest.
template <class Tag, class Mask>
std::uint64_t bits_of(Tag tag, Mask mask) {
  std::uint8_t bytes[sizeof(std::uint64_t)] = {};
  hn::StoreMaskBits(tag, mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// Handles one block of 64 bytes: sets its bits and copies it, with capitals turned to lower case by `fold`
/// (0x20 or 0).
void classify(const std::uint8_t* HWY_RESTRICT text, std::uint8_t fold, std::uint64_t* in_words,
              std::uint64_t* high, std::uint8_t* HWY_RESTRICT folded) {
  const hn::CappedTag<std::uint8_t, ByteClasses::block> tag;
  constexpr std::size_t width = hn::MaxLanes(hn::CappedTag<std::uint8_t, ByteClasses::block>{});
  const auto bit = hn::Set(tag, std::uint8_t{0x20});  // the bit that distinguishes lower case from capitals
  std::uint64_t word_bits = 0;
  std::uint64_t high_bits = 0;
  for (std::size_t k = 0; k < ByteClasses::block; k += width) {
    const auto bytes = hn::LoadU(tag, text + k);
    const auto small = hn::Or(bytes, bit);
    // Unsigned differences: a byte before the range gives a large number.
    const auto letter =
        hn::Lt(hn::Sub(small, hn::Set(tag, std::uint8_t{'a'})), hn::Set(tag, std::uint8_t{26}));
    const auto digit =
        hn::Lt(hn::Sub(bytes, hn::Set(tag, std::uint8_t{'0'})), hn::Set(tag, std::uint8_t{10}));
    word_bits |= bits_of(tag, hn::Or(letter, digit)) << k;
    high_bits |= bits_of(tag, hn::Gt(bytes, hn::Set(tag, std::uint8_t{0x7f}))) << k;
    hn::StoreU(hn::Or(bytes, hn::IfThenElseZero(letter, hn::Set(tag, fold))), tag, folded + k);
  }
  *in_words = word_bits;
  *high = high_bits;
}

void classify_all(const char* text, std::size_t size, std::uint8_t fold, ByteClasses& out) {
  constexpr std::size_t block = ByteClasses::block;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text);
  auto* folded = reinterpret_cast<std::uint8_t*>(out.folded.data());
  std::size_t b = 0;
  for (; (b + 1) * block <= size; ++b) {
    classify(bytes + b * block, fold, &out.in_words[b], &out.high[b], folded + b * block);
  }
  if (b * block < size) {
    std::uint8_t tail[block] = {};  // zeros are not letters
    std::memcpy(tail, bytes + b * block, size - b * block);
    classify(tail, fold, &out.in_words[b], &out.high[b], folded + b * block);
  }
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(classify_all);

void ByteClasses::fill(std::string_view text, bool fold) {
  blocks_ = (text.size() + block - 1) / block;
  if (in_words.size() < blocks_) {
    in_words.resize(2 * blocks_);
    high.resize(2 * blocks_);
    folded.resize(2 * blocks_ * block);
  }
  ASKFEW_DISPATCH(classify_all)(text.data(), text.size(), fold ? 0x20 : 0, *this);
  any_high = std::any_of(high.begin(), high.begin() + static_cast<std::ptrdiff_t>(blocks_),
                         [](std::uint64_t bits) { return bits != 0; });
}

bool ByteClasses::has_high(std::size_t begin, std::size_t end) const {
  for (std::size_t b = begin / block; b <= (end - 1) / block; ++b) {
    std::uint64_t bits = high[b];
    if (b == begin / block) bits &= ~std::uint64_t{0} << (begin % block);
    if (b == (end - 1) / block) bits &= ~std::uint64_t{0} >> (block - 1 - (end - 1) % block);
    if (bits != 0) return true;
  }
  return false;
}

}  // namespace askfew
#endif

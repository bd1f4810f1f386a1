#include "askfew/streams/formats/vw/vw_hash.h"

#include <algorithm>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/formats/vw/vw_hash.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/streams/formats/common/tokens-inl.h"

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Stores the indices of names one by one; false if a name is empty.
HWY_INLINE bool hash_one_by_one(const char* text, const VwHash::Names& names, std::size_t at,
                                std::size_t past, std::uint64_t seed, const VwHash& hash,
                                FeatureView::Index* out) {
  for (std::size_t k = at; k < past; ++k) {
    if (names.before[k] + 1 >= names.ends[k]) return false;
    out[k] = hash.index_of(names.name(text, k), seed);
  }
  return true;
}

#if HWY_TARGET == HWY_SCALAR

bool hash_names(const char* text, const VwHash::Names& names, std::uint64_t seed, const VwHash& hash,
                FeatureView::Index* out) {
  return hash_one_by_one(text, names, 0, names.count, seed, hash, out);
}

#else

static_assert(lanes <= VwHash::spare_names && VwHash::spare_names <= spare_marks);

template <int bits>
HWY_INLINE Vec mixed_with_shifted(Vec v) {
  return hn::Xor(v, hn::ShiftRight<bits>(v));
}

/// The lowest byte after so many others. The number of bits is kept in range even for a wrong length, whose
/// result nobody uses.
HWY_INLINE Vec byte_after(Vec name, Vec others) {
  return hn::And(hn::Shr(name, hn::And(left<3>(others), set(63))), set(0xFF));
}

/// XXH3 of names of 1 to 3 bytes. `name` has the first byte in the lowest place.
HWY_INLINE Vec hash_up_to_3(Vec name, Vec length, std::uint64_t seed) {
  const Vec first = hn::And(name, set(0xFF));
  const Vec middle = byte_after(name, hn::ShiftRight<1>(length));
  const Vec last = byte_after(name, hn::Sub(length, set(1)));
  const Vec joined = hn::Or(hn::Or(left<16>(first), left<24>(middle)), hn::Or(last, left<8>(length)));
  const Vec keyed = hn::Xor(joined, set(0x8727'5A9B + seed));
  const Vec once = hn::Mul(mixed_with_shifted<33>(keyed), set(0xC2B2'AE3D'27D4'EB4F));
  return mixed_with_shifted<32>(hn::Mul(mixed_with_shifted<29>(once), set(0x1656'67B1'9E37'79F9)));
}

/// XXH3 of names of 4 to 8 bytes. `last` has the last byte in the highest place.
HWY_INLINE Vec hash_4_to_8(Vec name, Vec last, Vec length, std::uint64_t seed) {
  const Vec factor = set(0x9FB2'1C65'1E98'DF25);
  const std::uint64_t turned = seed ^ std::uint64_t{__builtin_bswap32(static_cast<std::uint32_t>(seed))}
                                          << 32;
  const Vec keyed =
      hn::Xor(hn::Add(left<32>(name), hn::ShiftRight<32>(last)), set(0xC73A'B174'C5EC'D5A2 - turned));
  const Vec mixed = hn::Xor(keyed, hn::Xor(hn::RotateRight<15>(keyed), hn::RotateRight<40>(keyed)));
  const Vec once = hn::Mul(mixed, factor);
  const Vec twice = hn::Mul(hn::Xor(once, hn::Add(hn::ShiftRight<35>(once), length)), factor);
  return mixed_with_shifted<28>(twice);
}

/// Stores the indices of the first `count` names, or of more; false if one of them does not have 1 to 8
/// bytes.
HWY_INLINE bool hash_group(const char* text, const Position* before, const Position* ends, std::size_t count,
                           std::uint64_t seed, FeatureView::Index mask, FeatureView::Index* out) {
  const Vec length = hn::Sub(positions(ends), positions(before));  // including the mark
  if (any(hn::IfThenElseZero(hn::FirstN(Words{}, count), wrong_length(length)))) return false;
  const Vec size = hn::Sub(length, set(1));
  const Vec last = bytes_before(Words{}, text, ends);
  const Vec name = hn::Shr(last, hn::And(hn::Sub(set(64), left<3>(size)), set(63)));
  const Vec hash = hn::IfThenElse(hn::Lt(size, set(4)), hash_up_to_3(name, size, seed),
                                  hash_4_to_8(name, last, size, seed));
  hn::StoreU(hn::And(hn::TruncateTo(Positions{}, hash), hn::Set(Positions{}, mask)), Positions{}, out);
  return true;
}

bool hash_names(const char* text, const VwHash::Names& names, std::uint64_t seed, const VwHash& hash,
                FeatureView::Index* out) {
  for (std::size_t at = 0; at < names.count; at += lanes) {
    const std::size_t count = std::min(names.count - at, lanes);
    if (!hash_group(text, names.before + at, names.ends + at, count, seed, hash.dimension() - 1, out + at) &&
        !hash_one_by_one(text, names, at, at + count, seed, hash, out)) {
      return false;
    }
  }
  return true;
}

#endif

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

ASKFEW_EXPORT(hash_names);

}  // namespace

bool VwHash::index_all(const char* text, const Names& names, std::uint64_t seed, Index* out) const {
  return ASKFEW_DISPATCH(hash_names)(text, names, seed, *this, out);
}

}  // namespace askfew
#endif

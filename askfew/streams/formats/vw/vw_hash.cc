#include "askfew/streams/formats/vw/vw_hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/formats/vw/vw_hash.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/streams/formats/common/tokens-inl.h"

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void hash_names(const char* text, const VwHash::Names& names, std::uint64_t seed, const VwHash& hash,
                FeatureView::Index* out) {
  for (std::size_t k = 0; k < names.count; ++k) out[k] = hash.index_of(names.name(text, k), seed);
}

#else

template <int bits>
HWY_INLINE Vec mixed_with_shifted(Vec v) {
  return hn::Xor(v, hn::ShiftRight<bits>(v));
}

/// XXH3 of names of 1 to 3 bytes. `name` has the first byte in the lowest place.
HWY_INLINE Vec hash_up_to_3(Vec name, Vec length, std::uint64_t seed) {
  const Vec byte = set(0xFF);
  const Vec first = hn::And(name, byte);
  const Vec middle = hn::And(hn::Shr(name, left<3>(hn::ShiftRight<1>(length))), byte);
  const Vec last = hn::And(hn::Shr(name, left<3>(hn::Sub(length, set(1)))), byte);
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

/// Stores the indices of as many names as there are lanes; false if a name does not have 1 to 8 bytes.
HWY_INLINE bool hash_group(const char* text, const Position* before, const Position* ends, std::uint64_t seed,
                           FeatureView::Index mask, FeatureView::Index* out) {
  const Vec length = hn::Sub(positions(ends), positions(before));  // including the mark
  if (any(wrong_length(length))) return false;
  const Vec size = hn::Sub(length, set(1));
  const Vec last = bytes_before(Words{}, text, ends);
  const Vec name = hn::Shr(last, hn::Sub(set(64), left<3>(size)));
  const Vec hash = hn::IfThenElse(hn::Lt(size, set(4)), hash_up_to_3(name, size, seed),
                                  hash_4_to_8(name, last, size, seed));
  hn::StoreU(hn::And(hn::TruncateTo(Positions{}, hash), hn::Set(Positions{}, mask)), Positions{}, out);
  return true;
}

void hash_names(const char* text, const VwHash::Names& names, std::uint64_t seed, const VwHash& hash,
                FeatureView::Index* out) {
  std::size_t at = 0;
  while (at < names.count) {
    const std::size_t group = at + lanes <= names.count ? lanes : 1;
    if (group == 1 ||
        !hash_group(text, names.before + at, names.ends + at, seed, hash.dimension() - 1, out + at)) {
      for (std::size_t k = at; k < at + group; ++k) out[k] = hash.index_of(names.name(text, k), seed);
    }
    at += group;
  }
}

#endif

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

HWY_EXPORT(hash_names);

}  // namespace

void VwHash::index_all(const char* text, const Names& names, std::uint64_t seed, Index* out) const {
  HWY_DYNAMIC_DISPATCH(hash_names)(text, names, seed, *this, out);
}

}  // namespace askfew
#endif

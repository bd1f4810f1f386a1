#include "askfew/features/feature_sums.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/features/feature_sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ASKFEW_FEATURES_SUMS_KEYS
#define ASKFEW_FEATURES_SUMS_KEYS
namespace askfew {
namespace {

/// An index and, in the lowest byte, the position of its value: keys in order keep features with the same
/// index in their order.
using Key = std::uint64_t;
constexpr std::size_t max_few = 255;  // fits a byte
constexpr std::size_t key_slack = 16;
using Keys = std::array<Key, max_few + key_slack>;

}  // namespace
}  // namespace askfew
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sorts keys that are almost in order, and returns whether two of them have the same index. Keys after the
/// first `size` are overwritten.
bool put_in_order(Keys& keys, std::size_t size) {
  const hn::CappedTag<Key, 8> tag;
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  static_assert(2 * lanes <= key_slack);
  std::fill_n(keys.data() + size, 2 * lanes, ~Key{0});
  const auto load = [&](std::size_t at) HWY_ATTR { return hn::LoadU(tag, keys.data() + at); };
  bool in_order = false;
  while (!in_order) {
    // Exchanges neighbours: the first with the second, the third with the fourth and so on, then the others.
    for (const std::size_t first : {0U, 1U}) {
#if HWY_TARGET == HWY_SCALAR
      for (std::size_t at = first; at + 1 < size; at += 2) {
        if (keys[at] > keys[at + 1]) std::swap(keys[at], keys[at + 1]);
      }
#else
      for (std::size_t at = first; at < size; at += lanes) {
        const auto some = load(at);
        const auto neighbours = hn::Reverse2(tag, some);
        hn::StoreU(hn::OddEven(hn::Max(some, neighbours), hn::Min(some, neighbours)), tag, keys.data() + at);
      }
#endif
    }
    auto falls = hn::FirstN(tag, 0);
    for (std::size_t at = 0; at < size; at += lanes) falls = hn::Or(falls, hn::Gt(load(at), load(at + 1)));
    in_order = hn::AllFalse(tag, falls);
  }
  auto repeats = hn::FirstN(tag, 0);
  for (std::size_t at = 0; at < size; at += lanes) {
    const auto same = hn::Eq(hn::ShiftRight<8>(load(at)), hn::ShiftRight<8>(load(at + 1)));
    repeats = hn::Or(repeats, hn::And(same, hn::FirstN(tag, size - 1 - at)));
  }
  return !hn::AllFalse(tag, repeats);
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

ASKFEW_EXPORT(put_in_order);

using Index = FeatureView::Index;

constexpr unsigned bucket_bits = 8;

using Counts = std::array<std::uint8_t, std::size_t{1} << bucket_bits>;

/// Replaces counts by the sums of the counts before, eight bytes at a time.
void counts_to_places(Counts& counts) {
  constexpr std::uint64_t each_byte = 0x0101010101010101;
  std::uint64_t before = 0;
  for (std::size_t at = 0; at < counts.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, counts.data() + at, 8);
    const std::uint64_t sums = eight * each_byte;  // byte k is the sum of bytes 0 to k
    const std::uint64_t places = (sums << 8) + before * each_byte;
    std::memcpy(counts.data() + at, &places, 8);
    before += sums >> 56;
  }
}

/// For short examples, which are the most frequent; a hash spreads their indices evenly. Returns whether an
/// index is repeated.
bool sort_few(std::span<const Index> indices, unsigned bits, Keys& keys) {
  const unsigned low_bits = bits > bucket_bits ? bits - bucket_bits : 0;
  Counts places{};
  for (const Index index : indices) ++places[index >> low_bits];
  counts_to_places(places);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    keys[places[indices[k] >> low_bits]++] = Key{indices[k]} << 8 | k;
  }
  return ASKFEW_DISPATCH(put_in_order)(keys, indices.size());
}

/// Adds features in order to the example under construction, except those with the value 0. REQUIRES: there
/// is room for all of them.
class Writer {
 public:
  Writer(const Examples::Room& out, Examples& block)
      : out_(out), block_(block), shift_(block.shift()), squares_(block.bias() * block.bias()) {}

  void write(Index index, double value) {
    out_.indices[written_] = index + shift_;
    out_.values[written_] = value;
    squares_ += value * value;
    written_ += value != 0 ? 1 : 0;
  }
  void end() {
    block_.added(written_);
    block_.end_sparse(squares_);
  }

 private:
  Examples::Room out_;
  Examples& block_;
  Index shift_;
  double squares_;
  std::size_t written_ = 0;
};

/// Adds up the values of features with the same index. `feature(k)` is the index and the value of the k-th of
/// `size` features, in order.
template <class Feature>
void write_sums(std::size_t size, Writer& writer, const Feature& feature) {
  if (size == 0) return;
  auto [index, sum] = feature(0);
  for (std::size_t k = 1; k < size; ++k) {
    const auto [next, value] = feature(k);
    if (next == index) {
      sum += value;
      continue;
    }
    writer.write(index, sum);
    index = next;
    sum = value;
  }
  writer.write(index, sum);
}

}  // namespace

void FeatureSums::finish(Examples& block) {
  using Feature = std::pair<Index, double>;
  Writer writer(block.room_for(size_), block);
  if (size_ <= max_few) {
    Keys keys;
    const bool repeats = sort_few({indices_.data(), size_}, bits_, keys);
    const auto feature = [&](std::size_t k) {
      return Feature(static_cast<Index>(keys[k] >> 8), values_[keys[k] & 0xFF]);
    };
    if (repeats) {
      write_sums(size_, writer, feature);
    } else {
      for (std::size_t k = 0; k < size_; ++k) writer.write(feature(k).first, feature(k).second);
    }
  } else {
    sort_many_({indices_.data(), size_}, {values_.data(), size_});
    write_sums(size_, writer, [&](std::size_t k) { return Feature(indices_[k], values_[k]); });
  }
  writer.end();
  clear();
}

}  // namespace askfew
#endif

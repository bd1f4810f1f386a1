#include "askfew/features/feature_sums.h"

#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace askfew {
namespace {

using Index = FeatureView::Index;

constexpr unsigned bucket_bits = 8;
constexpr std::size_t max_few = 255;  // fits a byte

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

/// An index and, in the lowest byte, the position of its value: keys in order keep features with the same
/// index in their order.
using Key = std::uint64_t;
using Keys = std::array<Key, max_few>;

/// Moves keys that stand after larger keys to their places. There are few such keys, and they move only a
/// little.
void insert_in_order(Keys& keys, std::size_t size) {
  for (std::size_t k = 1; k < size; ++k) {
    const Key key = keys[k];
    if (key >= keys[k - 1]) continue;
    std::size_t at = k;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

/// For short examples, which are the most frequent; a hash spreads their indices evenly.
void sort_few(std::span<const Index> indices, unsigned bits, Keys& keys) {
  const unsigned low_bits = bits > bucket_bits ? bits - bucket_bits : 0;
  Counts places{};
  for (const Index index : indices) ++places[index >> low_bits];
  counts_to_places(places);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    keys[places[indices[k] >> low_bits]++] = Key{indices[k]} << 8 | k;
  }
  insert_in_order(keys, indices.size());
}

/// Adds up the values of features in order, and adds the sums that are not 0 to the example under
/// construction. `feature(k)` is the index and the value of the k-th of `size` features. REQUIRES: there is
/// room for `size` features.
template <class Feature>
void add_sums(std::size_t size, const Examples::Room& out, Examples& block, const Feature& feature) {
  double squares = block.bias() * block.bias();
  const Index shift = block.shift();
  std::size_t written = 0;
  const auto write = [&](Index index, double sum) {
    out.indices[written] = index + shift;
    out.values[written] = sum;
    squares += sum * sum;
    written += sum != 0 ? 1 : 0;
  };
  if (size > 0) {
    auto [index, sum] = feature(0);
    for (std::size_t k = 1; k < size; ++k) {
      const auto [next, value] = feature(k);
      if (next == index) {
        sum += value;
        continue;
      }
      write(index, sum);
      index = next;
      sum = value;
    }
    write(index, sum);
  }
  block.added(written);
  block.end_sparse(squares);
}

}  // namespace

void FeatureSums::finish(Examples& block) {
  using Feature = std::pair<Index, double>;
  const Examples::Room out = block.room_for(size_);
  if (size_ <= max_few) {
    Keys keys;
    sort_few({indices_.data(), size_}, bits_, keys);
    add_sums(size_, out, block, [&](std::size_t k) {
      return Feature(static_cast<Index>(keys[k] >> 8), values_[keys[k] & 0xFF]);
    });
  } else {
    sort_many_({indices_.data(), size_}, {values_.data(), size_});
    add_sums(size_, out, block, [&](std::size_t k) { return Feature(indices_[k], values_[k]); });
  }
  clear();
}

}  // namespace askfew

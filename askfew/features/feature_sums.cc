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

/// Moves features that stand after larger features to their places. There are few such features, and they
/// move only a little.
void insert_in_order(const Examples::Room& features, std::size_t size) {
  for (std::size_t k = 1; k < size; ++k) {
    const Index index = features.indices[k];
    if (index >= features.indices[k - 1]) continue;
    const double value = features.values[k];
    std::size_t at = k;
    for (; at > 0 && features.indices[at - 1] > index; --at) {
      features.indices[at] = features.indices[at - 1];
      features.values[at] = features.values[at - 1];
    }
    features.indices[at] = index;
    features.values[at] = value;
  }
}

}  // namespace

void FeatureSums::finish(Examples& block) {
  const Examples::Room out = block.room_for(size_);
  sort_into(out);
  double squares = block.bias() * block.bias();
  std::size_t written = 0;
  for (std::size_t k = 0; k < size_;) {
    const Index index = out.indices[k];
    double sum = out.values[k];
    for (++k; k < size_ && out.indices[k] == index; ++k) sum += out.values[k];
    out.indices[written] = index + block.shift();
    out.values[written] = sum;
    squares += sum * sum;
    written += sum != 0 ? 1 : 0;
  }
  block.added(written);
  block.end_sparse(squares);
  clear();
}

void FeatureSums::sort_into(const Examples::Room& out) {
  if (size_ <= max_few) {
    sort_few_into(out);
    return;
  }
  std::copy_n(indices_.data(), size_, out.indices);
  std::copy_n(values_.data(), size_, out.values);
  sort_many_({out.indices, size_}, {out.values, size_});
}

void FeatureSums::sort_few_into(const Examples::Room& out) const {
  const unsigned low_bits = bits_ > bucket_bits ? bits_ - bucket_bits : 0;
  Counts places{};
  for (std::size_t k = 0; k < size_; ++k) ++places[indices_[k] >> low_bits];
  counts_to_places(places);
  for (std::size_t k = 0; k < size_; ++k) {
    const std::size_t at = places[indices_[k] >> low_bits]++;
    out.indices[at] = indices_[k];
    out.values[at] = values_[k];
  }
  insert_in_order(out, size_);
}

}  // namespace askfew

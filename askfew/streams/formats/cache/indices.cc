#include "askfew/streams/formats/cache/indices.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "askfew/streams/formats/cache/bytes.h"

namespace askfew {
namespace {

/// Four gaps at a time: each becomes the sum of the gaps up to it, in two steps. Returns the number of gaps
/// done; `next` is one past the last index.
template <class Gap>
std::size_t decode_fours(const char* gaps, std::span<FeatureView::Index> indices, std::uint64_t& next) {
  using Gaps [[gnu::vector_size(4 * sizeof(Gap))]] = Gap;
  using Four [[gnu::vector_size(16)]] = std::uint32_t;
  const Four zero{};
  Four first{0, 1, 2, 3};  // the four indices without gaps
  std::size_t k = 0;
  for (; k + 4 <= indices.size(); k += 4) {
    Four sums = __builtin_convertvector(number_at<Gaps>(gaps + k * sizeof(Gap)), Four);
    sums += __builtin_shufflevector(zero, sums, 0, 4, 5, 6);
    sums += __builtin_shufflevector(zero, sums, 0, 1, 4, 5);
    const Four four = first + sums;
    std::memcpy(indices.data() + k, &four, sizeof four);
    first += __builtin_shufflevector(sums, sums, 3, 3, 3, 3) + 4;
  }
  next = first[0];
  return k;
}

template <class Gap>
CodedIndices narrowed(std::span<const std::uint32_t> gaps) {
  CodedIndices coded{.width = sizeof(Gap), .bytes = {}};
  coded.bytes.reserve(gaps.size() * sizeof(Gap));
  for (const std::uint32_t gap : gaps) append_number(coded.bytes, static_cast<Gap>(gap));
  return coded;
}

}  // namespace

CodedIndices encode_indices(std::span<const FeatureView::Index> indices,
                            std::span<const std::uint32_t> sizes) {
  std::vector<std::uint32_t> gaps;
  gaps.reserve(indices.size());
  std::uint32_t largest = 0;
  std::size_t k = 0;
  for (const std::uint32_t size : sizes) {
    FeatureView::Index next = 0;
    for (const std::size_t past = k + size; k < past; ++k) {
      gaps.push_back(indices[k] - next);
      largest = std::max(largest, gaps.back());
      next = indices[k] + 1;
    }
  }
  if (largest <= std::numeric_limits<std::uint8_t>::max()) return narrowed<std::uint8_t>(gaps);
  if (largest <= std::numeric_limits<std::uint16_t>::max()) return narrowed<std::uint16_t>(gaps);
  return narrowed<std::uint32_t>(gaps);
}

template <class Gap>
std::uint64_t decode_indices(const char* gaps, std::span<FeatureView::Index> indices) {
  std::uint64_t next = 0;
  std::size_t k = 0;
  // The sum of so many short gaps fits 32 bits.
  constexpr std::size_t most = std::size_t{1} << 15;
  if (sizeof(Gap) <= 2 && indices.size() < most) k = decode_fours<Gap>(gaps, indices, next);
  for (; k < indices.size(); ++k) {
    next += number_at<Gap>(gaps, k);
    indices[k] = static_cast<FeatureView::Index>(next++);
  }
  return next;
}

template std::uint64_t decode_indices<std::uint8_t>(const char*, std::span<FeatureView::Index>);
template std::uint64_t decode_indices<std::uint16_t>(const char*, std::span<FeatureView::Index>);
template std::uint64_t decode_indices<std::uint32_t>(const char*, std::span<FeatureView::Index>);

}  // namespace askfew

#include "askfew/kernels/sparse_rows.h"

#include <algorithm>
#include <utility>

#include "askfew/kernels/stored.h"
#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/kernels/sparse_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/linalg/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The chain of a panel product without the zeros: adding a product with 0 changes nothing.
template <class T>
HWY_INLINE void multiply_rows(const SparseProduct<T>& p) {
  constexpr std::size_t chunk_size = SparseRows<T>::chunk_size;
  const hn::CappedTag<T, 1> one;
  for (std::size_t s = 0; s < p.rows; ++s) {
    auto sum = hn::Zero(one);
    std::size_t left = p.lengths[s];
    for (std::uint32_t chunk = p.first[s]; left > 0; chunk = p.next[chunk]) {
      const std::size_t count = std::min(left, chunk_size);
      const FeatureView::Index* const index = p.indices + chunk * chunk_size;
      const T* const value = p.values + chunk * chunk_size;
      // Indices ascend, so only the last indices can be out of range.
      for (std::size_t k = 0; k < count && index[k] < p.extent; ++k) {
        sum = fused(hn::Set(one, p.spread[index[k]]), hn::Set(one, value[k]), sum);
      }
      left -= count;
    }
    p.products[s] = hn::GetLane(sum);
  }
}

void multiply_rows_double(const SparseProduct<double>& product) {
  multiply_rows(product);
}
void multiply_rows_single(const SparseProduct<float>& product) {
  multiply_rows(product);
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(multiply_rows_double);
ASKFEW_EXPORT(multiply_rows_single);

template <>
void SparseRows<double>::multiply(const double* spread, std::size_t extent, std::size_t rows,
                                  double* products) const {
  ASKFEW_DISPATCH(multiply_rows_double)
  ({first_.data(), lengths_.data(), next_.data(), indices_.data(), values_.data(), spread, extent, rows,
    products});
}
template <>
void SparseRows<float>::multiply(const float* spread, std::size_t extent, std::size_t rows,
                                 float* products) const {
  ASKFEW_DISPATCH(multiply_rows_single)
  ({first_.data(), lengths_.data(), next_.data(), indices_.data(), values_.data(), spread, extent, rows,
    products});
}

template <class T>
std::size_t SparseRows<T>::bytes_with(std::size_t n) const {
  constexpr std::size_t chunk_bytes = chunk_size * (sizeof(Index) + sizeof(T)) + sizeof(std::uint32_t);
  const std::size_t chunks = next_.size() + n / chunk_size + 1;
  const std::size_t capacity = chunks <= next_.capacity() ? next_.capacity() : 2 * chunks;
  return capacity * chunk_bytes;
}

template <class T>
void SparseRows<T>::resize(std::size_t rows) {
  first_.resize(rows, none);
  lengths_.resize(rows);
}

template <class T>
std::uint32_t SparseRows<T>::take_chunk() {
  if (free_ != none) {
    const std::uint32_t chunk = free_;
    free_ = next_[chunk];
    return chunk;
  }
  next_.push_back(none);
  indices_.resize(next_.size() * chunk_size);
  values_.resize(next_.size() * chunk_size);
  return static_cast<std::uint32_t>(next_.size() - 1);
}

template <class T>
void SparseRows<T>::clear(std::size_t slot) {
  if (first_[slot] == none) return;
  std::uint32_t last = first_[slot];
  while (next_[last] != none) last = next_[last];
  next_[last] = free_;
  free_ = first_[slot];
  first_[slot] = none;
  lengths_[slot] = 0;
}

template <class T>
void SparseRows<T>::append(std::size_t slot, std::uint32_t& last, Index index, T value) {
  const std::size_t at = lengths_[slot] % chunk_size;
  if (at == 0) {
    const std::uint32_t chunk = take_chunk();
    next_[chunk] = none;
    (last == none ? first_[slot] : next_[last]) = chunk;
    last = chunk;
  }
  indices_[last * chunk_size + at] = index;
  values_[last * chunk_size + at] = value;
  ++lengths_[slot];
}

template <class T>
void SparseRows<T>::set(std::size_t slot, const FeatureView& x) {
  clear(slot);
  std::uint32_t last = none;
  x.for_each([&](Index i, double value) {
    if (const T rounded = stored<T>(value); rounded != 0) append(slot, last, i, rounded);
  });
}

template <class T>
void SparseRows<T>::move(std::size_t from, std::size_t to) {
  if (from == to) return;
  clear(to);
  std::swap(first_[from], first_[to]);
  std::swap(lengths_[from], lengths_[to]);
}

template class SparseRows<float>;
template class SparseRows<double>;

}  // namespace askfew
#endif

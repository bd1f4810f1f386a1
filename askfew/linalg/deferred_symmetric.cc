#include "askfew/linalg/deferred_symmetric.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "askfew/core/expects.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/panels.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

// A quarter more than needed: a matrix that grows row by row is copied O(log n) times. Eight doubles are one
// cache line.
std::size_t DeferredSymmetric::stride_for(std::size_t size) const {
  if (size <= stride_) return stride_;
  return (std::max<std::size_t>(size, stride_ + stride_ / 4) + 7) / 8 * 8;
}

void DeferredSymmetric::reserve(std::size_t size) {
  if (size <= stride_) return;
  const std::size_t stride = stride_for(size);
  memory_.resize(stride * (stride + block) * sizeof(double), "a matrix of the learner");
}

void DeferredSymmetric::grow(std::size_t size) {
  if (size <= size_) return;
  if (size > stride_) {
    reserve(size);
    const std::size_t stride = stride_for(size);
    AlignedVector<double> m(stride * stride);
    AlignedVector<double> pending(block * stride);
    for (std::size_t i = 0; i < size_; ++i)
      std::copy_n(m_.data() + i * stride_, size_, m.data() + i * stride);
    for (std::size_t j = 0; j < waiting_; ++j) {
      std::copy_n(pending_.data() + j * stride_, size_, pending.data() + j * stride);
    }
    m_ = std::move(m);
    pending_ = std::move(pending);
    stride_ = stride;
  }
  for (std::size_t i = size_; i < size; ++i) m_[i * stride_ + i] = diagonal_;
  size_ = size;
}

double DeferredSymmetric::quadratic(const FeatureView& x) const {
  const auto nonzeros = rooms_.borrow();
  nonzeros->assign(x);
  double sum = quadratic_form(m_.data(), stride_, *nonzeros) + shift_ * x.squared_norm();
  std::array<double, block> ux{};
  dots_with_rows(pending_.data(), stride_, waiting_, *nonzeros, ux.data());
  for (std::size_t j = 0; j < waiting_; ++j) sum -= ux[j] * ux[j];
  return sum;
}

void DeferredSymmetric::multiply(const FeatureView& x, double amount, std::span<double> out) const {
  const auto nonzeros = rooms_.borrow();
  nonzeros->assign(first_features(x, size_));
  std::fill(out.begin(), out.end(), 0.0);
  add_combination_of_rows(out.data(), size_, m_.data(), stride_, nonzeros->indices(), nonzeros->nonzeros(),
                          nonzeros->size());
  const double shift = shift_ + amount;
  x.for_each([&](Index i, double value) {
    if (i >= size_) out[i] = diagonal_ * value;
    out[i] += shift * value;
  });
  std::array<double, block> minus_ux{};
  dots_with_rows(pending_.data(), stride_, waiting_, *nonzeros, minus_ux.data());
  std::array<Index, block> all{};
  for (std::size_t j = 0; j < waiting_; ++j) {
    all[j] = static_cast<Index>(j);
    minus_ux[j] = -minus_ux[j];
  }
  add_combination_of_rows(out.data(), size_, pending_.data(), stride_, all.data(), minus_ux.data(), waiting_);
}

void DeferredSymmetric::subtract_outer(std::span<const double> q, double scale) {
  const double root = std::sqrt(scale);
  double* u = pending_.data() + waiting_ * stride_;
  for (std::size_t i = 0; i < size_; ++i) u[i] = root * q[i];
  if (++waiting_ == block) flush();
}

void DeferredSymmetric::flush() {
  subtract_outer_products(m_.data(), size_, stride_, pending_.data(), stride_, waiting_, workspace_);
  for (std::size_t i = 0; i < size_; ++i) m_[i * stride_ + i] += shift_;
  std::fill(pending_.begin(), pending_.end(), 0.0);
  waiting_ = 0;
  diagonal_ += shift_;
  shift_ = 0;
}

void DeferredSymmetric::start_over(double diagonal) {
  const bool had_memory = stride_ > 0;  // otherwise its reserved memory stays reserved
  size_ = stride_ = waiting_ = 0;
  diagonal_ = diagonal;
  shift_ = 0;
  m_ = {};
  pending_ = {};
  if (had_memory) memory_.resize(0, "");
}

bool DeferredSymmetric::consistent() const {
  return size_ <= stride_ && stride_ % BlockedVector::block_size == 0 &&
         stride_ <= (std::uint64_t{1} << 31) && m_.size() == stride_ * stride_ &&
         pending_.size() == block * stride_ && waiting_ < block;
}

}  // namespace askfew

#include "askfew/linalg/interleaved_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askfew/core/expects.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/linalg/interleaved_weights.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
constexpr std::size_t width = hn::MaxLanes(Tag{});

/// The places of a sparse or a dense instance: the offset of the weights of the k-th feature.
struct SparsePlaces {
  static constexpr std::size_t lanes = sparse_lanes;
  std::size_t slots;
  const FeatureView::Index* index;

  HWY_INLINE std::size_t offset(std::size_t k) const { return index[k] * slots; }
};
struct DensePlaces {
  static constexpr std::size_t lanes = dense_lanes;
  std::size_t slots;

  HWY_INLINE std::size_t offset(std::size_t k) const { return k * slots; }
};

template <std::size_t vectors>
HWY_INLINE void add_product(hn::Vec<Tag> (&sum)[vectors], const double* w, double value) {
  const Tag tag;
  const auto factor = hn::Set(tag, value);
  HWY_UNROLL(4)
  for (std::size_t v = 0; v < vectors; ++v) {
    sum[v] = hn::Add(sum[v], hn::Mul(hn::Load(tag, w + v * width), factor));
  }
}

HWY_INLINE std::uint64_t bits_of(hn::Mask<Tag> mask) {
  static_assert(width <= 8);
  std::uint8_t bytes[8] = {};  // Highway may write a whole word
  hn::StoreMaskBits(Tag{}, mask, bytes);
  return bytes[0];
}

HWY_INLINE bool all_zero(const double* value, std::size_t n) {
  bool zero = true;
  for (std::size_t k = 0; k < n; ++k) zero &= value[k] == 0;
  return zero;
}

/// The weights that the next instances need: a few of them are requested with each product, so that the
/// processor loads them while it computes.
struct Upcoming {
  const double* w;
  std::size_t slots;
  std::size_t features;
  std::span<const FeatureView::Index> index;

  /// Requests the k-th weights, if there are so many.
  template <std::size_t vectors>
  HWY_INLINE void request(std::size_t k) const {
    constexpr std::size_t line = InterleavedWeights::slots_at_once;
    constexpr int second_level = 2;  // measured: requests for the first-level cache take twice as long
    if (k >= index.size() || index[k] >= features) return;
    const double* row = w + index[k] * slots;
    for (std::size_t at = 0; at < vectors * width; at += line) __builtin_prefetch(row + at, 0, second_level);
  }
};

/// Products of the first `known` of n places with `vectors` registers of tasks. The lanes are those of the
/// order of additions: each lane has its own registers.
template <std::size_t vectors, class Places>
void dots(const Places& places, const double* w, const double* value, std::size_t n, std::size_t known,
          bool skip_zeros, const Upcoming& upcoming, double* out) {
  constexpr std::size_t lanes = Places::lanes;
  const Tag tag;
  hn::Vec<Tag> sum[lanes][vectors];
  HWY_UNROLL(8)
  for (std::size_t l = 0; l < lanes; ++l) {
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < vectors; ++v) sum[l][v] = hn::Zero(tag);
  }
  const std::size_t in_lanes = n - n % lanes;
  std::size_t k = 0;
  std::size_t requested = 0;
  for (; k + lanes <= known; k += lanes) {
    upcoming.request<vectors>(requested++);
    if (skip_zeros && all_zero(value + k, lanes)) continue;
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < lanes; ++l) add_product(sum[l], w + places.offset(k + l), value[k + l]);
  }
  while (requested < upcoming.index.size()) upcoming.request<vectors>(requested++);
  if (k < in_lanes) {
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < lanes; ++l) {
      if (k + l < known) add_product(sum[l], w + places.offset(k + l), value[k + l]);
    }
  }
  HWY_UNROLL(4)
  for (std::size_t apart = 1; apart < lanes; apart *= 2) {
    HWY_UNROLL(8)
    for (std::size_t l = 0; l + apart < lanes; l += 2 * apart) {
      HWY_UNROLL(4)
      for (std::size_t v = 0; v < vectors; ++v) sum[l][v] = hn::Add(sum[l][v], sum[l + apart][v]);
    }
  }
  for (k = in_lanes; k < known; ++k) add_product(sum[0], w + places.offset(k), value[k]);
  HWY_UNROLL(4)
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(sum[0][v], tag, out + v * width);
}

template <std::size_t vectors>
void dots_of(const double* w, std::size_t slots, std::size_t features, const FeatureView& x,
             std::span<const FeatureView::Index> next, bool skip_zeros, double* out) {
  const Upcoming upcoming{.w = w, .slots = slots, .features = features, .index = next};
  if (x.is_dense()) {
    dots<vectors>(DensePlaces{.slots = slots}, w, x.values(), x.size(), std::min(x.size(), features),
                  skip_zeros, upcoming, out);
  } else {
    dots<vectors>(SparsePlaces{.slots = slots, .index = x.indices()}, w, x.values(), x.size(),
                  features_below(x, features), false, upcoming, out);
  }
}

void all_dots(const double* w, std::size_t slots, std::size_t features, const FeatureView& x,
              std::span<const FeatureView::Index> next, bool skip_zeros, double* out) {
  std::size_t slot = 0;
  for (; slot + 2 * width <= slots; slot += 2 * width) {
    dots_of<2>(w + slot, slots, features, x, next, skip_zeros, out + slot);
  }
  for (; slot < slots; slot += width) dots_of<1>(w + slot, slots, features, x, next, skip_zeros, out + slot);
}

MarginBits compare_margins(const double* margins, const double* bounds, std::size_t n, double norm,
                           double least) {
  const Tag tag;
  const auto norms = hn::Set(tag, norm);
  const auto leasts = hn::Set(tag, least);
  const auto most = hn::Set(tag, std::numeric_limits<double>::max());
  MarginBits bits;
  for (std::size_t k = 0; k < n; k += width) {
    const auto margin = hn::Load(tag, margins + k);
    const auto size = hn::Abs(margin);
    const auto bound = hn::Mul(hn::LoadU(tag, bounds + k), norms);
    const auto large = hn::And(hn::And(hn::Gt(size, bound), hn::Gt(size, leasts)), hn::Le(size, most));
    const auto positive = hn::Gt(margin, hn::Zero(tag));
    bits.large |= bits_of(large) << k;
    bits.positive |= bits_of(positive) << k;
  }
  return bits;
}

/// Adds multiples of n values to the weights of a register of tasks, where the mask is true. Some features at
/// once, first all loads: the processor takes long to see that a load needs no store before it.
template <class Places>
HWY_INLINE void add_multiples_at(const Places& places, double* w, const double* value, std::size_t n,
                                 hn::Vec<Tag> factor, hn::Mask<Tag> mask) {
  constexpr std::size_t at_once = 4;
  const Tag tag;
  const auto added = [&](hn::Vec<Tag> before, double x) {
    return hn::IfThenElse(mask, hn::Add(before, hn::Mul(factor, hn::Set(tag, x))), before);
  };
  std::size_t k = 0;
  for (; k + at_once <= n; k += at_once) {
    hn::Vec<Tag> weights[at_once];
    HWY_UNROLL(4)
    for (std::size_t l = 0; l < at_once; ++l) weights[l] = hn::Load(tag, w + places.offset(k + l));
    HWY_UNROLL(4)
    for (std::size_t l = 0; l < at_once; ++l) weights[l] = added(weights[l], value[k + l]);
    HWY_UNROLL(4)
    for (std::size_t l = 0; l < at_once; ++l) hn::Store(weights[l], tag, w + places.offset(k + l));
  }
  for (; k < n; ++k) {
    double* const row = w + places.offset(k);
    hn::Store(added(hn::Load(tag, row), value[k]), tag, row);
  }
}

/// Adds multiples of x to the weights of up to 8 tasks; bit k of `waiting`: to those of the k-th task.
void add_multiples(double* w, std::size_t slots, const double* factors, unsigned waiting,
                   const FeatureView& x) {
  const Tag tag;
  const hn::RebindToUnsigned<Tag> words;
  for (std::size_t k = 0; k < InterleavedWeights::slots_at_once; k += width) {
    if ((waiting >> k & ((1U << width) - 1)) == 0) continue;
    const auto bit_of_lane = hn::Shl(hn::Set(words, 1), hn::Iota(words, k));
    const auto mask = hn::RebindMask(tag, hn::TestBit(hn::Set(words, waiting), bit_of_lane));
    const auto factor = hn::Load(tag, factors + k);
    if (x.is_dense()) {
      add_multiples_at(DensePlaces{.slots = slots}, w + k, x.values(), x.size(), factor, mask);
    } else {
      add_multiples_at(SparsePlaces{.slots = slots, .index = x.indices()}, w + k, x.values(), x.size(),
                       factor, mask);
    }
  }
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(all_dots);
ASKFEW_EXPORT(compare_margins);
ASKFEW_EXPORT(add_multiples);

void InterleavedWeights::prepare(const FeatureView& x, std::span<const FeatureView::Index> upcoming) {
  settle();
  prepared_ = x;
  ++preparations_;
  ASKFEW_DISPATCH(all_dots)(w_.data(), slots_, features(), x, upcoming, are_finite(), dots_.data());
}

MarginBits InterleavedWeights::compare(std::span<const double> bounds, double norm, double least) const {
  EXPECTS(bounds.size() % slots_at_once == 0 && bounds.size() <= std::min<std::size_t>(slots_, 64));
  return ASKFEW_DISPATCH(compare_margins)(dots_.data(), bounds.data(), bounds.size(), norm, least);
}

double InterleavedWeights::strided_dot(std::size_t slot, const FeatureView& x) {
  settle();
  const double* w = w_.data() + slot;
  const double* value = x.values();
  if (x.is_dense()) {
    return sum_in_lanes<dense_lanes>(x.size(), std::min(x.size(), features()),
                                     [&](std::size_t i) { return w[i * slots_] * value[i]; });
  }
  const FeatureView::Index* index = x.indices();
  return sum_in_lanes<sparse_lanes>(x.size(), features_below(x, features()),
                                    [&](std::size_t k) { return w[index[k] * slots_] * value[k]; });
}

void InterleavedWeights::add_scaled(std::size_t slot, double a, const FeatureView& x) {
  cover(x.extent());
  const std::size_t block = slot / slots_at_once;
  const unsigned bit = 1U << slot % slots_at_once;
  if ((waiting_[block] & bit) != 0) settle();
  changed_[slot] = preparations_;
  reach_ += std::abs(a) * std::sqrt(x.squared_norm());
  if (is_prepared(x)) {
    factors_[slot] = a;
    waiting_[block] = static_cast<unsigned char>(waiting_[block] | bit);
    waits_ = true;
    return;
  }
  double* w = w_.data() + slot;
  x.for_each([&](FeatureView::Index i, double value) { w[i * slots_] += a * value; });
}

void InterleavedWeights::add_waiting() {
  waits_ = false;
  for (std::size_t block = 0; block < waiting_.size(); ++block) {
    const unsigned waiting = std::exchange(waiting_[block], static_cast<unsigned char>(0));
    const std::size_t slot = block * slots_at_once;
    if (waiting != 0) {
      ASKFEW_DISPATCH(add_multiples)(w_.data() + slot, slots_, factors_.data() + slot, waiting, prepared_);
    }
  }
}

void InterleavedWeights::scale(std::size_t slot, double factor) {
  settle();
  reach_ *= std::max(1.0, std::abs(factor));
  for (std::size_t i = slot; i < w_.size(); i += slots_) w_[i] = askfew::scaled(w_[i], factor);
  changed_[slot] = preparations_;
}

std::vector<double> InterleavedWeights::column(std::size_t slot, std::size_t size) {
  settle();
  std::vector<double> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = w_[i * slots_ + slot];
  return values;
}

void InterleavedWeights::set_column(std::size_t slot, const std::vector<double>& values) {
  settle();
  cover(values.size());
  reach_ += largest_magnitude(FeatureView::unchecked_dense(values, 0));
  for (std::size_t i = 0; i < features(); ++i) w_[i * slots_ + slot] = i < values.size() ? values[i] : 0;
  changed_[slot] = preparations_;
}

}  // namespace askfew
#endif

#include "askfew/composed/scaled_tasks.h"

#include <algorithm>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/composed/scaled_tasks.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
constexpr std::size_t width = hn::MaxLanes(Tag{});

/// The sums of w z and V z^2 over n features, for `blocks` times eight tasks. Every sum is added up feature
/// by feature.
template <std::size_t blocks>
void sum_blocks(const double* numbers, std::size_t stride, const std::uint32_t* indices, const double* values,
                std::size_t n, double* margins, double* spreads) {
  constexpr std::size_t at_once = SharedWork::slots_at_once;
  constexpr std::size_t vectors = blocks * at_once / width;
  constexpr std::size_t in_block = at_once / width;
  const Tag tag;
  hn::Vec<Tag> margin[vectors];
  hn::Vec<Tag> spread[vectors];
  HWY_UNROLL(16)
  for (std::size_t v = 0; v < vectors; ++v) margin[v] = spread[v] = hn::Zero(tag);
  for (std::size_t k = 0; k < n; ++k) {
    const double* row = numbers + indices[k] * stride;
    const auto z = hn::Set(tag, values[k]);
    const auto zz = hn::Mul(z, z);
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < vectors; ++v) {
      const double* weights = row + v / in_block * 2 * at_once + v % in_block * width;
      margin[v] = hn::Add(margin[v], hn::Mul(hn::Load(tag, weights), z));
      spread[v] = hn::Add(spread[v], hn::Mul(hn::Load(tag, weights + at_once), zz));
    }
  }
  HWY_UNROLL(16)
  for (std::size_t v = 0; v < vectors; ++v) {
    hn::Store(margin[v], tag, margins + v * width);
    hn::Store(spread[v], tag, spreads + v * width);
  }
}

void sum_tasks(const double* numbers, std::size_t slots, const std::uint32_t* indices, const double* values,
               std::size_t n, double* margins, double* spreads) {
  constexpr std::size_t at_once = SharedWork::slots_at_once;
  std::size_t slot = 0;
  for (; slot + 2 * at_once <= slots; slot += 2 * at_once)
    sum_blocks<2>(numbers + 2 * slot, 2 * slots, indices, values, n, margins + slot, spreads + slot);
  for (; slot < slots; slot += at_once)
    sum_blocks<1>(numbers + 2 * slot, 2 * slots, indices, values, n, margins + slot, spreads + slot);
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(sum_tasks);

ScaledTasks::ScaledTasks(std::size_t tasks, const OnlineScaler::Options& options)
    : slots_((tasks + slots_at_once - 1) / slots_at_once * slots_at_once),
      variance_(options.variance),
      scaler_(options),
      margins_(slots_),
      spreads_(slots_) {
  cover(features());
}

void ScaledTasks::cover(std::size_t features) {
  const std::size_t before = numbers_.size();
  const std::size_t after = 2 * slots_ * features;
  if (after <= before) return;
  numbers_.resize(after);
  for (double* block = numbers_.data() + before; block < numbers_.data() + after; block += 2 * slots_at_once)
    std::fill_n(block + slots_at_once, slots_at_once, variance_);
}

void ScaledTasks::prepare(const FeatureView& /*x*/, std::span<const FeatureView::Index> upcoming) {
  constexpr int second_level = 2;
  for (const FeatureView::Index feature : upcoming) {
    const std::size_t i = std::size_t{1} + feature;
    if (i >= features()) continue;
    __builtin_prefetch(&scaler_.records()[i], 0, second_level);
    for (std::size_t at = 0; at < 2 * slots_; at += slots_at_once)
      __builtin_prefetch(&numbers_[2 * slots_ * i + at], 0, second_level);
  }
}

void ScaledTasks::set_scaler(const OnlineScaler& scaler) {
  cover(scaler.records().size());
  scaler_ = scaler;
}

void ScaledTasks::see(const FeatureView& x, double constant) {
  cover(scaler_.records_with(x));  // first, so that nothing has changed if there is no memory
  scaler_.see(x, constant, instance_);
  const ScaledInstance& z = instance_;
  ASKFEW_DISPATCH(sum_tasks)
  (numbers_.data(), slots_, z.indices.data() + 1, z.values.data() + 1, z.size - 1, margins_.data(),
   spreads_.data());
  for (std::size_t slot = 0; slot < slots_; ++slot) {
    const ScaledSums sums{.margin = margins_[slot], .spread = spreads_[slot]};
    const ScaledSums all =
        z.with_constant(constant, {.weight = weight(slot, 0), .variance = variance(slot, 0)}, sums);
    margins_[slot] = all.margin;
    spreads_[slot] = all.spread;
  }
}

void ScaledTasks::scale(std::size_t slot, const FeatureView& x, double constant, ScaledInstance& out) const {
  scaler_.scale(x, constant, out);
  ScaledSums sums;
  for (std::size_t k = 1; k < out.size; ++k) {
    sums.margin += weight(slot, out.indices[k]) * out.values[k];
    sums.spread += variance(slot, out.indices[k]) * (out.values[k] * out.values[k]);
  }
  sums = out.with_constant(constant, {.weight = weight(slot, 0), .variance = variance(slot, 0)}, sums);
  out.margin = sums.margin;
  out.spread = sums.spread;
}

}  // namespace askfew
#endif

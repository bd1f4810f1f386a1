#include "askfew/composed/scaling_pass.h"

#include <type_traits>

#include "askfew/composed/count_logs.h"
#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/composed/scaling_pass.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One, two or four features at once.
using Lanes = hn::CappedTag<double, 4>;
using Numbers = hn::Vec<Lanes>;
constexpr std::size_t width = hn::MaxLanes(Lanes{});

/// The records of so many features; the first ones if a register has fewer than four numbers.
template <class Record>
struct Group {
  Record& r0;
  Record& r1;
  Record& r2;
  Record& r3;
};
struct CountsAndSquares {
  Numbers counts;
  Numbers squares;
};

#if HWY_TARGET == HWY_SCALAR

CountsAndSquares counts_of(const auto& group) {
  return {hn::Load(Lanes{}, &group.r0.count), hn::Load(Lanes{}, &group.r0.squares)};
}
void store(const CountsAndSquares& seen, const Group<FeatureRecord>& group) {
  hn::Store(seen.counts, Lanes{}, &group.r0.count);
  hn::Store(seen.squares, Lanes{}, &group.r0.squares);
}

class Sums {
 public:
  void add(const auto& group, Numbers z, Numbers zz) {
    sums_.squares += hn::GetLane(zz);
    sums_.margin += group.r0.weight * hn::GetLane(z);
    sums_.spread += group.r0.variance * hn::GetLane(zz);
  }
  [[nodiscard]] ScaledSums all() const { return sums_; }

 private:
  ScaledSums sums_;
};

#else

// Two numbers of a record are a block of 16 bytes. Registers of four numbers hold the blocks of the features
// 0 and 2, and of 1 and 3.
using Block = hn::FixedTag<double, 2>;

template <class Tag = Lanes>
Numbers load_blocks(const double* one, [[maybe_unused]] const double* other) {
  if constexpr (hn::MaxLanes(Tag{}) == 4) {
    return hn::Combine(Tag{}, hn::Load(Block{}, other), hn::Load(Block{}, one));
  } else {
    return hn::Load(Lanes{}, one);
  }
}
void store_blocks(auto blocks, double* one, [[maybe_unused]] double* other) {
  if constexpr (width == 4) {
    hn::Store(hn::LowerHalf(Block{}, blocks), Block{}, one);
    hn::Store(hn::UpperHalf(Block{}, blocks), Block{}, other);
  } else {
    hn::Store(blocks, Lanes{}, one);
  }
}
CountsAndSquares counts_of(const auto& group) {
  const auto even = load_blocks(&group.r0.count, &group.r2.count);
  const auto odd = load_blocks(&group.r1.count, &group.r3.count);
  return {hn::InterleaveLower(Lanes{}, even, odd), hn::InterleaveUpper(Lanes{}, even, odd)};
}
void store(const CountsAndSquares& seen, const Group<FeatureRecord>& group) {
  store_blocks(hn::InterleaveLower(Lanes{}, seen.counts, seen.squares), &group.r0.count, &group.r2.count);
  store_blocks(hn::InterleaveUpper(Lanes{}, seen.counts, seen.squares), &group.r1.count, &group.r3.count);
}

/// Every sum is added up feature by feature.
class Sums {
 public:
  Sums() : squares_(hn::Zero(Block{})), products_(hn::Zero(Block{})) {}
  void add(const auto& group, auto z, auto zz) {
    const auto even =
        hn::Mul(load_blocks(&group.r0.weight, &group.r2.weight), hn::InterleaveLower(Lanes{}, z, zz));
    const auto odd =
        hn::Mul(load_blocks(&group.r1.weight, &group.r3.weight), hn::InterleaveUpper(Lanes{}, z, zz));
    if constexpr (width == 4) {
      add_two(hn::LowerHalf(Block{}, zz), hn::LowerHalf(Block{}, even), hn::LowerHalf(Block{}, odd));
      add_two(hn::UpperHalf(Block{}, zz), hn::UpperHalf(Block{}, even), hn::UpperHalf(Block{}, odd));
    } else {
      add_two(zz, even, odd);
    }
  }
  [[nodiscard]] ScaledSums all() const {
    return {.squares = hn::GetLane(squares_),
            .margin = hn::GetLane(products_),
            .spread = hn::GetLane(hn::Reverse2(Block{}, products_))};
  }

 private:
  using Two = hn::Vec<Block>;
  void add_two(Two zz, Two one, Two other) {
    squares_ = hn::Add(squares_, zz);
    squares_ = hn::Add(squares_, hn::Reverse2(Block{}, zz));
    products_ = hn::Add(hn::Add(products_, one), other);
  }

  Two squares_;   // in the lower lane
  Two products_;  // the margin in the lower lane, the spread in the upper one
};

#endif

/// size^own, in quarters.
Numbers own_part(Numbers size, double own) {
  if (own == 1) return size;
  const auto root = hn::Sqrt(size);
  if (own == 0.5) return root;
  return own == 0.25 ? hn::Sqrt(root) : hn::Mul(root, hn::Sqrt(root));
}

template <bool counts>
class Pass {
 public:
  using Record = std::conditional_t<counts, FeatureRecord, const FeatureRecord>;

  explicit Pass(const Scaling& scaling)
      : own_(scaling.own),
        factor_(hn::Set(Lanes{}, scaling.factor)),
        most_(hn::Set(Lanes{}, scaling.most)),
        idf_(hn::Set(Lanes{}, scaling.idf)),
        rare_(hn::Set(Lanes{}, scaling.rare)) {}

  HWY_INLINE void add(const Group<Record>& group, const double* given, double* scaled) {
    const Lanes tag;
    const auto value = hn::LoadU(tag, given);
    CountsAndSquares seen = counts_of(group);
    if constexpr (counts) {
      const auto one = hn::IfThenElseZero(hn::Ne(value, hn::Zero(tag)), hn::Set(tag, 1));
      seen.counts = hn::Add(seen.counts, one);
      seen.squares = hn::Add(seen.squares, hn::Mul(value, value));
      store(seen, group);
    }
    const auto z = hn::Mul(clipped(size_of(value, seen)), hn::Mul(idf(seen.counts), damping(seen.counts)));
    hn::StoreU(z, tag, scaled);
    sums_.add(group, z, hn::Mul(z, z));
  }
  [[nodiscard]] ScaledSums sums() const { return sums_.all(); }

 private:
  [[nodiscard]] HWY_INLINE Numbers size_of(Numbers value, const CountsAndSquares& seen) const {
    const auto scaled = hn::Mul(value, factor_);
    if (own_ == 0) return scaled;
    const auto part = own_part(hn::Sqrt(hn::Div(seen.squares, seen.counts)), own_);
    return hn::IfThenElseZero(hn::Gt(seen.squares, hn::Zero(Lanes{})), hn::Div(scaled, part));
  }
  static HWY_INLINE Numbers clipped(Numbers value) {
    const auto most = hn::Set(Lanes{}, largest_scaled);
    return hn::Min(most, hn::Max(hn::Neg(most), value));
  }
  // A feature that nothing was seen of has damping 0: its logarithm does not matter.
  [[nodiscard]] HWY_INLINE Numbers idf(Numbers count) const {
    const hn::RebindToSigned<Lanes> places;
    const auto bits = hn::BitCast(places, hn::Max(count, hn::Set(Lanes{}, 1)));
    const auto place = hn::Sub(hn::ShiftRight<CountLogs::dropped_bits>(bits),
                               hn::Set(places, static_cast<std::int64_t>(CountLogs::below_one)));
    const auto log = hn::GatherIndex(Lanes{}, logs_, place);
    return hn::Sub(most_, hn::Mul(idf_, log));
  }
  [[nodiscard]] HWY_INLINE Numbers damping(Numbers count) const {
    const auto a = hn::Min(count, hn::Set(Lanes{}, most_damped));
    return hn::Div(a, hn::Add(hn::Max(a, hn::Set(Lanes{}, 1)), rare_));
  }

  const double* logs_ = count_logs().data();
  double own_;
  Numbers factor_;
  Numbers most_;
  Numbers idf_;
  Numbers rare_;
  Sums sums_;
};

template <bool counts>
ScaledSums scale_all(typename Pass<counts>::Record* records, const std::uint32_t* indices,
                     const double* given, std::size_t n, const Scaling& scaling, double* scaled) {
  // Rare features are far from the processor: they are fetched before they are needed.
  constexpr std::size_t ahead = 16;
  Pass<counts> pass(scaling);
  std::size_t k = 0;
  for (; k + width <= n; k += width) {
    if (k + ahead + width <= n) {
      for (std::size_t l = k + ahead; l < k + ahead + width; ++l)
        __builtin_prefetch(records + indices[l], counts ? 1 : 0);
    }
    pass.add({records[indices[k]], records[indices[k + 1 % width]], records[indices[k + 2 % width]],
              records[indices[k + 3 % width]]},
             given + k, scaled + k);
  }
  if (k < n) {  // the rest, with the value 0 for the constant: it changes no sum and no record
    typename Pass<counts>::Record* rest[4] = {records, records, records, records};
    double values[4] = {};
    double results[4];
    for (std::size_t l = 0; k + l < n; ++l) {
      rest[l] = records + indices[k + l];
      values[l] = given[k + l];
    }
    pass.add({*rest[0], *rest[1], *rest[2], *rest[3]}, values, results);
    for (std::size_t l = 0; k + l < n; ++l) scaled[k + l] = results[l];
  }
  return pass.sums();
}

ScaledSums scale(const FeatureRecord* records, const std::uint32_t* indices, const double* given,
                 std::size_t n, const Scaling& scaling, double* scaled) {
  return scale_all<false>(records, indices, given, n, scaling, scaled);
}
ScaledSums count_and_scale(FeatureRecord* records, const std::uint32_t* indices, const double* given,
                           std::size_t n, const Scaling& scaling, double* scaled) {
  return scale_all<true>(records, indices, given, n, scaling, scaled);
}

void increment(const std::uint32_t* HWY_RESTRICT from, std::size_t n, std::uint32_t* HWY_RESTRICT to) {
  const hn::ScalableTag<std::uint32_t> tag;
  const std::size_t lanes = hn::Lanes(tag);
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    hn::StoreU(hn::Add(hn::LoadU(tag, from + k), hn::Set(tag, 1)), tag, to + k);
  if (k > 0 && k < n) {  // the rest, with numbers that are written once more
    hn::StoreU(hn::Add(hn::LoadU(tag, from + n - lanes), hn::Set(tag, 1)), tag, to + n - lanes);
    return;
  }
  for (; k < n; ++k) to[k] = from[k] + 1;
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(scale);
ASKFEW_EXPORT(count_and_scale);
ASKFEW_EXPORT(increment);

ScaledSums scale_values(const FeatureRecord* records, const std::uint32_t* indices, const double* given,
                        std::size_t n, const Scaling& scaling, double* scaled) {
  return ASKFEW_DISPATCH(scale)(records, indices, given, n, scaling, scaled);
}
ScaledSums count_and_scale_values(FeatureRecord* records, const std::uint32_t* indices, const double* given,
                                  std::size_t n, const Scaling& scaling, double* scaled) {
  return ASKFEW_DISPATCH(count_and_scale)(records, indices, given, n, scaling, scaled);
}
void add_one(const std::uint32_t* from, std::size_t n, std::uint32_t* to) {
  ASKFEW_DISPATCH(increment)(from, n, to);
}

}  // namespace askfew
#endif

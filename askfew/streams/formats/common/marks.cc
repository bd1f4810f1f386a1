// Before Highway is included: compile for the instruction that packs bytes, too.
#define HWY_WANT_AVX3_DL
#include "askfew/streams/formats/common/marks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/formats/common/marks.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint8_t, 64>;
constexpr std::size_t width = hn::MaxLanes(Tag{});
constexpr std::size_t block = 64;

/// The bytes of 64 that satisfy a condition, as bits.
template <class Condition>
HWY_INLINE std::uint64_t bits_where(const char* text, const Condition& condition) {
  const Tag tag;
  std::uint64_t bits = 0;
  for (std::size_t at = 0; at < block; at += width) {
    const auto part = hn::LoadU(tag, reinterpret_cast<const std::uint8_t*>(text) + at);
    std::uint8_t stored[8] = {};
    hn::StoreMaskBits(tag, condition(part), stored);
    std::uint64_t part_bits = 0;
    std::memcpy(&part_bits, stored, sizeof(part_bits));
    bits |= part_bits << at;
  }
  return bits;
}

template <class V>
HWY_INLINE auto is(V part, char c) {
  return hn::Eq(part, hn::Set(Tag{}, static_cast<std::uint8_t>(c)));
}

template <class V>
HWY_INLINE auto is_end(V part) {
  return hn::Or(is(part, '\n'), hn::Or(is(part, ' '), is(part, '\t')));
}

/// Writes the positions of the bits, several at a time: one branch per bit would be mispredicted. Additional
/// positions are overwritten later.
HWY_INLINE Position* write_places(std::uint64_t bits, std::size_t at, Position* out) {
  const auto count = std::popcount(bits);
#if HWY_TARGET == HWY_AVX3_DL  // this target has an instruction for it
  constexpr int step = 16;
  const hn::CappedTag<Position, step> positions;
  const auto places =
      hn::Compress(hn::Iota(Tag{}, 0), hn::LoadMaskBits(Tag{}, reinterpret_cast<std::uint8_t*>(&bits)));
  const auto first = hn::PromoteTo(positions, hn::LowerHalf(hn::LowerHalf(places)));
  hn::StoreU(hn::Add(first, hn::Set(positions, static_cast<Position>(at))), positions, out);
  if (HWY_LIKELY(count <= step)) return out + count;
  for (int k = 0; k < step; ++k) bits &= bits - 1;
#else
  constexpr int step = 0;
#endif
  for (int done = step; done < count; done += 8) {
    for (int k = 0; k < 8; ++k) {
      out[done + k] = static_cast<Position>(at) + static_cast<Position>(std::countr_zero(bits));
      bits &= bits - 1;
    }
  }
  return out + count;
}

HWY_INLINE std::uint64_t first_bits(std::size_t count) {
  return count >= block ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Moves all three pointers after the written elements.
void pair_marks(const char* text, std::size_t size, char another_end, Position*& ends_out,
                Position*& colons_out, PairMarks::Counts*& lines_out) {
  Position* ends_at = ends_out;
  Position* colons_at = colons_out;
  for (std::size_t at = 0; at < size; at += block) {
    const std::uint64_t inside = first_bits(size - at);
    const auto lines = inside & bits_where(text + at, [](auto part) { return is(part, '\n'); });
    const auto ends = inside & bits_where(text + at, [another_end](auto part) {
                        return hn::Or(is_end(part), is(part, another_end));
                      });
    const auto colons = inside & bits_where(text + at, [](auto part) { return is(part, ':'); });
    for (std::uint64_t rest = lines; rest != 0; rest &= rest - 1) {
      const std::uint64_t before = (rest & -rest) - 1;
      *lines_out++ = {
          .ends = static_cast<std::uint32_t>(ends_at - ends_out + std::popcount(ends & before)),
          .colons = static_cast<std::uint32_t>(colons_at - colons_out + std::popcount(colons & before))};
    }
    ends_at = write_places(ends, at, ends_at);
    colons_at = write_places(colons, at, colons_at);
  }
  ends_out = ends_at;
  colons_out = colons_at;
}

/// Moves both pointers after the written elements.
void field_marks(const char* text, std::size_t size, char delimiter, Position*& marks_out,
                 std::uint32_t*& lines_out) {
  Position* marks_at = marks_out;
  for (std::size_t at = 0; at < size; at += block) {
    const std::uint64_t inside = first_bits(size - at);
    const auto lines = inside & bits_where(text + at, [](auto part) { return is(part, '\n'); });
    const auto delimiters =
        inside & bits_where(text + at, [delimiter](auto part) { return is(part, delimiter); });
    const std::uint64_t marks = lines | delimiters;
    for (std::uint64_t rest = lines; rest != 0; rest &= rest - 1) {
      const std::uint64_t before = (rest & -rest) - 1;
      *lines_out++ = static_cast<std::uint32_t>(marks_at - marks_out + std::popcount(marks & before));
    }
    marks_at = write_places(marks, at, marks_at);
  }
  marks_out = marks_at;
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

ASKFEW_EXPORT(pair_marks);
ASKFEW_EXPORT(field_marks);

std::unique_ptr<Position[]> room() {
  return std::make_unique_for_overwrite<Position[]>(max_marked + spare_marks);
}

}  // namespace

PairMarks::PairMarks()
    : ends_(room()), colons_(room()), lines_(std::make_unique_for_overwrite<Counts[]>(max_marked)) {}

void PairMarks::find(std::string_view text, char another_end) {
  text_ = text.data();
  const std::size_t size = std::min(text.size(), max_marked);
  Position* ends = ends_.get();
  Position* colons = colons_.get();
  Counts* lines = lines_.get();
  ASKFEW_DISPATCH(pair_marks)(text.data(), size, another_end, ends, colons, lines);
  line_count_ = static_cast<std::size_t>(lines - lines_.get());
  std::fill_n(ends, spare_marks, 0);
  std::fill_n(colons, spare_marks, 0);
}

FieldMarks::FieldMarks()
    : marks_(room()), lines_(std::make_unique_for_overwrite<std::uint32_t[]>(max_marked)) {}

void FieldMarks::find(std::string_view text, char delimiter) {
  const std::size_t size = std::min(text.size(), max_marked);
  Position* marks = marks_.get();
  std::uint32_t* lines = lines_.get();
  ASKFEW_DISPATCH(field_marks)(text.data(), size, delimiter, marks, lines);
  count_ = static_cast<std::size_t>(marks - marks_.get());
  line_count_ = static_cast<std::size_t>(lines - lines_.get());
  std::fill_n(marks, spare_marks, 0);
}

}  // namespace askfew
#endif

#pragma once

#include <cstdint>
#include <string_view>

// The bytes of a cache: a prefix, a header in JSON, blocks of examples, and a last block that says how many
// there were. Sizes come before what they measure and nothing points back, so that a cache can go through a
// pipe. docs/file-formats.md describes it in full.

namespace askfew::cache {

constexpr std::string_view magic{
    "\x89"
    "askfew\n"};
constexpr std::uint32_t version = 1;

/// What a file begins with. The header follows, padded with spaces to a multiple of 8.
struct Prefix {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_size;
  std::uint64_t checksum;  ///< of the header, seeded with that of what comes before it here
};
static_assert(sizeof(Prefix) == 24);

enum class BlockKind : std::uint32_t { examples = 1, end = 2 };

/// What a block begins with. Its payload follows.
struct BlockPrefix {
  std::uint64_t payload_size;  ///< a multiple of 8
  std::uint64_t offset;  ///< of the block, from the end of the header: no block goes missing or comes twice
  BlockKind kind;
  std::uint32_t rows;
  std::uint64_t prefix_checksum;   ///< of what comes before it here, seeded with that of the file
  std::uint64_t payload_checksum;  ///< seeded with that of the prefix
};
static_assert(sizeof(BlockPrefix) == 40);

/// What the payload of the last block begins with. The notes follow, each with a line's end, padded with
/// zeros to a multiple of 8.
struct Totals {
  std::uint64_t examples;
  std::uint64_t features;
  std::uint64_t notes_size;  ///< in bytes, without the padding
};

/// What a section of a payload holds. All but sizes, norms and values may be left out.
enum class SectionKind : std::uint16_t {
  source = 1,        ///< parameter: which of the header's sources the examples come from
  sizes = 2,         ///< u32 a row: its features
  norms = 3,         ///< f64 a row: its squared norm
  label_counts = 4,  ///< u32 a row; left out: one label each
  labels = 5,        ///< i32 a label: a number, or from 2^30 on the place of a name
  label_names = 6,   ///< parameter: how many; u32 each, its size, then the bytes of all of them
  lines = 7,         ///< u64 a row
  times = 8,         ///< i64 a row; left out: none has one
  dense = 9,         ///< u8 a row: 1 if it is dense; left out: none is
  indices = 10,      ///< code: bytes a gap
  values = 11,       ///< code and parameter as in values.h
  words = 12         ///< as label_names: those that the indices are numbers of, for a dictionary
};

/// What a section begins with. Its bytes follow, padded with zeros to a multiple of 8.
struct SectionPrefix {
  SectionKind kind;
  std::uint16_t code;
  std::uint32_t parameter;
  std::uint64_t size;
};
static_assert(sizeof(SectionPrefix) == 16);

constexpr std::uint64_t padded(std::uint64_t size) {
  return (size + 7) / 8 * 8;
}

}  // namespace askfew::cache

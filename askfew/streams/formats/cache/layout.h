#pragma once

// The structures of a cache file (docs/cache.md).

#include <cstdint>
#include <string_view>

// The bytes of a cache: a prefix, a header in JSON, blocks of examples, and a last block with their number.
// Sizes come before the sized data and nothing refers back, so that a cache can go through a pipe.
// docs/file-formats.md describes the format in full.

namespace askfew::cache {

constexpr std::string_view magic{
    "\x89"
    "askfew\n"};
constexpr std::uint32_t version = 1;

/// The beginning of a file. The header follows, padded with spaces to a multiple of 8.
struct Prefix {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_size;
  std::uint64_t checksum;  ///< of the header; its seed is the checksum of the members above
};
static_assert(sizeof(Prefix) == 24);

enum class BlockKind : std::uint32_t { examples = 1, end = 2 };

/// The beginning of a block. Its payload follows.
struct BlockPrefix {
  std::uint64_t payload_size;  ///< a multiple of 8
  std::uint64_t offset;        ///< offset of the block from the end of the header: shows missing and repeated
                               ///< blocks
  BlockKind kind;
  std::uint32_t rows;
  std::uint64_t prefix_checksum;   ///< of the members above; its seed is the checksum of the file
  std::uint64_t payload_checksum;  ///< its seed is the checksum of the prefix
};
static_assert(sizeof(BlockPrefix) == 40);

/// The beginning of the last block's payload. The notes follow, each with a line end, padded with zeros to a
/// multiple of 8.
struct Totals {
  std::uint64_t examples;
  std::uint64_t features;
  std::uint64_t notes_size;  ///< in bytes, without the padding
};

/// The content of a section of a payload. All sections except sizes, norms and values are optional.
enum class SectionKind : std::uint16_t {
  source = 1,        ///< parameter: the number of the examples' source in the header
  sizes = 2,         ///< u32 per row: number of features
  norms = 3,         ///< f64 per row: squared norm
  label_counts = 4,  ///< u32 per row; if missing: one label per row
  labels = 5,        ///< i32 per label: a number, or from 2^30 on the index of a name
  label_names = 6,   ///< parameter: number of names; u32 per name: its size; then the bytes of all names
  lines = 7,         ///< u64 per row
  times = 8,         ///< i64 per row; if missing: no row has a time
  dense = 9,         ///< u8 per row: 1 if dense; if missing: no row is dense
  indices = 10,      ///< code: bytes per gap
  values = 11,       ///< code and parameter as in values.h
  words = 12         ///< as label_names: the words behind the indices, for a dictionary
};

/// The beginning of a section. Its bytes follow, padded with zeros to a multiple of 8.
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

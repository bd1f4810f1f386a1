// Bytes as a cache. A changed cache is refused. A made-up cache with the right checksums gives well-formed
// examples or a reason.

#include <algorithm>
#include <cmath>
#include <sstream>

#include "askfew/streams/formats/cache/bytes.h"
#include "askfew/streams/formats/cache/checksum.h"
#include "askfew/streams/formats/cache/writer.h"
#include "askfew/streams/open.h"

#include "tests/fuzz/gzip_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {
namespace {

struct WhatWasRead {
  std::size_t rows = 0;
  std::string failure;
  std::string content;  ///< labels and features of all rows
};

void check_row(const Examples& block, std::size_t row) {
  const FeatureView x = block.x(row);
  FUZZ_CHECK(x.extent() <= std::uint32_t{1} << 27);
  for (std::size_t k = 0; k < x.size(); ++k) {
    FUZZ_CHECK(std::isfinite(x.values()[k]));
    if (x.is_dense()) continue;
    FUZZ_CHECK(k == 0 || x.indices()[k - 1] < x.indices()[k]);
    FUZZ_CHECK(x.indices()[k] < x.extent());
  }
}

WhatWasRead read(std::string_view bytes, std::size_t chunk) {
  const MemoryFile file(bytes);
  WhatWasRead reading;
  try {
    const auto stream = open_stream(file.path(), {.format = "cache", .chunk = chunk});
    Examples block;
    auto more = stream->next(block);
    for (; more && *more; more = stream->next(block)) {
      FUZZ_CHECK(block.size() > 0);
      reading.rows += block.size();
      for (std::size_t row = 0; row < block.size(); ++row) {
        check_row(block, row);
        const FeatureView x = block.x(row);
        reading.content.append(reinterpret_cast<const char*>(x.values()), x.size() * sizeof(double));
        if (!x.is_dense()) {
          reading.content.append(reinterpret_cast<const char*>(x.indices()),
                                 x.size() * sizeof(FeatureView::Index));
        }
        for (const auto label : block.labels(row)) reading.content += stream->label_name(label) + ",";
      }
    }
    if (!more) {
      reading.failure = more.error().why;
      FUZZ_CHECK(!reading.failure.empty());
    }
    if (more) {
      const auto counted = count_examples({&file.path(), 1}, {.format = "cache", .chunk = chunk});
      FUZZ_CHECK(!counted || *counted == reading.rows);
    }
  } catch (const DataError& error) {
    reading.failure = error.what();
  }
  return reading;
}

/// Gives every part of the bytes that looks like a part of a cache its right checksum.
std::string sealed(std::string bytes) {
  using cache::BlockPrefix;
  using cache::Prefix;
  if (bytes.size() < sizeof(Prefix)) return bytes;
  auto prefix = number_at<Prefix>(bytes.data());
  cache::magic.copy(prefix.magic, sizeof prefix.magic);
  prefix.version = cache::version;
  if (prefix.header_size > bytes.size() - sizeof prefix) return bytes;
  prefix.checksum =
      cache::checksum_of(prefix, std::string_view(bytes).substr(sizeof prefix, prefix.header_size));
  std::memcpy(bytes.data(), &prefix, sizeof prefix);
  const std::size_t first = sizeof prefix + prefix.header_size;
  for (std::size_t at = first; at + sizeof(BlockPrefix) <= bytes.size();) {
    auto block = number_at<BlockPrefix>(bytes.data() + at);
    const std::size_t room = bytes.size() - at - sizeof block;
    block.payload_size = std::min<std::uint64_t>(block.payload_size, room);
    block.offset = at - first;
    block.prefix_checksum = cache::checksum_of(block, prefix.checksum);
    block.payload_checksum = cache::checksum_of_payload(
        block, std::string_view(bytes).substr(at + sizeof block, block.payload_size));
    std::memcpy(bytes.data() + at, &block, sizeof block);
    at += sizeof block + block.payload_size;
  }
  return bytes;
}

std::string cache_of(const std::string& text, const StreamOptions& options = {}) {
  const MemoryFile file(text);
  const auto stream = open_stream(file.path(), options);
  CacheHeader header = cache_header(*stream);
  for (Origin& origin : header.origins) origin.stamp.reset();  // the next file will have the same path
  std::ostringstream out;
  CacheWriter writer(out, header, 30);
  Examples block;
  while (*stream->next(block)) writer.add(block, *stream);
  writer.finish(*stream);
  FUZZ_CHECK(read(out.str(), 1).failure.empty());
  return out.str();
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string numbers =
      "+1 1:0.5 2:0.25 7:1\n-1 3:0.125\n\n3,17 1:1 70000:1\n 4:0.1 5:0.123456789012345\n+1 9:2\n";
  std::string many;
  for (int k = 0; k < 40; ++k) many += std::to_string(k % 3) + " 1:" + std::to_string(k) + " 9:0.7\n";
  const std::string packages = "Package: a\nSection: games\n\nPackage: b b c\nSection: 7\n";
  return {cache_of(numbers), cache_of(many), cache_of(packages, {.format = "packages"}), cache_of("\n")};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  static const std::vector<std::string> whole = seeds();
  const std::string bytes(text_of(data, size));
  const WhatWasRead as_it_is = read(bytes, 1 << 18);
  const bool is_whole = std::find(whole.begin(), whole.end(), bytes) != whole.end();
  FUZZ_CHECK(as_it_is.failure.empty() == is_whole);
  const std::string made_up = sealed(bytes);
  const WhatWasRead mapped = read(made_up, 1 << 18);
  for (const WhatWasRead& other : {read(made_up, 1), read(gzip(made_up), 100)}) {
    FUZZ_CHECK(other.rows == mapped.rows && other.failure == mapped.failure &&
               other.content == mapped.content);
  }
  return 0;
}

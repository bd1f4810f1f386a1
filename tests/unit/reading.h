#pragma once

// Files that exist as long as a test, and the examples read from them.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <zlib.h>

#include "askfew/streams/open.h"
#include "askfew/system/temporary_file.h"

namespace askfew::test {

using askfew::TemporaryFile;

inline std::string gzip(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()) + 64, '\0');
  z_stream z{};
  deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  return packed;
}

/// All examples of a file with these bytes.
inline tl::expected<Examples, ParseError> read_all(const std::string& bytes,
                                                   const StreamOptions& options = {}) {
  const TemporaryFile file(bytes);
  try {
    const auto stream = open_stream(file.path(), options);
    Examples all;
    Examples block;
    while (true) {
      const auto more = stream->next(block);
      if (!more) return tl::make_unexpected(more.error());
      if (!*more) return all;
      for (std::size_t row = 0; row < block.size(); ++row) all.append(block, row);
    }
  } catch (const DataError& error) {  // a header
    return tl::make_unexpected(ParseError{.why = error.what()});
  }
}

/// Do both hold the same examples, to the bit?
inline bool same(const Examples& a, const Examples& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t row = 0; row < a.size(); ++row) {
    const FeatureView x = a.x(row);
    const FeatureView y = b.x(row);
    if (a.line(row) != b.line(row) || a.time(row) != b.time(row) ||
        !std::ranges::equal(a.labels(row), b.labels(row)) || x.is_dense() != y.is_dense() ||
        x.size() != y.size() || !std::equal(x.values(), x.values() + x.size(), y.values()) ||
        (!x.is_dense() && !std::equal(x.indices(), x.indices() + x.size(), y.indices()))) {
      return false;
    }
  }
  return true;
}

inline ParseError error_of(const std::string& bytes, const StreamOptions& options = {}) {
  const auto read = read_all(bytes, options);
  EXPECT_FALSE(read) << bytes;
  return read ? ParseError{} : read.error();
}

}  // namespace askfew::test

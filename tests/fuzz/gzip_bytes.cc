#include "tests/fuzz/gzip_bytes.h"

#include <zlib.h>

#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, in gzip format

/// zlib does not write to its input, but older versions take the input without const.
z_stream stream_over(std::string_view bytes) {
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  return stream;
}

}  // namespace

std::string gzip(std::string_view text) {
  z_stream stream = stream_over(text);
  FUZZ_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string bytes(deflateBound(&stream, stream.avail_in), '\0');
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  FUZZ_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

std::optional<std::string> gunzip(std::string_view bytes) {
  z_stream stream = stream_over(bytes);
  FUZZ_CHECK(inflateInit2(&stream, gzip_window) == Z_OK);
  std::string text;
  int code = Z_OK;
  while (code == Z_OK) {
    char chunk[4096];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk, sizeof chunk - stream.avail_out);
    if (code == Z_STREAM_END && stream.avail_in > 0) code = inflateReset(&stream);
  }
  const bool whole = code == Z_STREAM_END;
  inflateEnd(&stream);
  return whole ? std::optional(text) : std::nullopt;
}

}  // namespace askfew::fuzz

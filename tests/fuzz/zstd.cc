// Raw bytes through ByteSource: zstd frames are decompressed, skippable frames are skipped, damage is
// reported.

#include <zstd.h>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/unpacking.h"

namespace askfew::fuzz {
namespace {

constexpr int largest_window = 27;

std::string packed(std::string_view text, bool with_checksum) {
  ZSTD_CCtx* z = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, with_checksum ? 1 : 0);
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(z, bytes.data(), bytes.size(), text.data(), text.size());
  ZSTD_freeCCtx(z);
  FUZZ_CHECK(ZSTD_isError(size) == 0);
  bytes.resize(size);
  return bytes;
}

/// The text of a file that consists of one or more whole frames; nothing for other files.
std::optional<std::string> unpacked(std::string_view bytes) {
  ZSTD_DCtx* z = ZSTD_createDCtx();
  ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, largest_window);
  std::string text;
  ZSTD_inBuffer in{.src = bytes.data(), .size = bytes.size(), .pos = 0};
  std::size_t code = 0;
  bool more = true;  // input to read or output to write
  while (more && ZSTD_isError(code) == 0) {
    char room[4096];
    ZSTD_outBuffer out{.dst = room, .size = sizeof room, .pos = 0};
    code = ZSTD_decompressStream(z, &out, &in);
    text.append(room, out.pos);
    more = in.pos < in.size || (code != 0 && out.pos == out.size);
  }
  ZSTD_freeDCtx(z);
  return code == 0 ? std::optional(text) : std::nullopt;
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string frame = packed("+1 1:1\n-1 2:1\n", true);
  const std::string passed_over("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
  return {frame,
          frame + packed("second frame\n", false),
          packed(long_text(), false),
          packed(long_text(), true),
          packed("", false),
          passed_over + frame + passed_over,
          "\x28\xb5\x2f"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view bytes = text_of(data, size);
  check_unpacking(bytes, unpacked(bytes));
  return 0;
}

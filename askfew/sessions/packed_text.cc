#include "askfew/sessions/packed_text.h"

#include <memory>
#include <zstd.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr int fastest_level = 1;

/// No frame of so many bytes can have more: a block takes four bytes or more, and has at most 128 KiB.
std::uint64_t most_unpacked(std::uint64_t packed) {
  return packed / 4 * ZSTD_BLOCKSIZE_MAX;
}

}  // namespace

std::string packed_text(std::string_view text) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (context == nullptr) throw ResourceError("there is no memory to pack a state");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, fastest_level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), packed.data(), packed.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) throw ResourceError(ZSTD_getErrorName(size));
  packed.resize(size);
  return packed;
}

std::string unpacked_text(std::string_view packed, std::uint64_t size) {
  if (size > most_unpacked(packed.size()) || ZSTD_getFrameContentSize(packed.data(), packed.size()) != size)
    throw ModelError("a packed state of another size");
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0)
    throw ModelError(std::string("a packed state that is damaged: ") + ZSTD_getErrorName(got));
  if (got != size) throw ModelError("a packed state of another size");
  return text;
}

}  // namespace askfew

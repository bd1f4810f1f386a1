#include <fmt/core.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "askfew/core/errors.h"
#include "askfew/streams/unpacker.h"

namespace askfew {
namespace {

constexpr int largest_window = 27;  // its logarithm: 128 MiB, more than any level of zstd takes unless told

class ZstdUnpacker final : public Unpacker {
 public:
  ZstdUnpacker() : z_(ZSTD_createDCtx()) {
    if (z_ == nullptr) throw FileError("out of memory for zstd");
    ZSTD_DCtx_setParameter(z_, ZSTD_d_windowLogMax, largest_window);
  }
  ~ZstdUnpacker() override { ZSTD_freeDCtx(z_); }
  ZstdUnpacker(const ZstdUnpacker&) = delete;
  ZstdUnpacker& operator=(const ZstdUnpacker&) = delete;
  ZstdUnpacker(ZstdUnpacker&&) = delete;
  ZstdUnpacker& operator=(ZstdUnpacker&&) = delete;

  Step step(std::string_view packed, std::span<char> room) override {
    if (packed.empty() && is_whole_) return {};
    ZSTD_inBuffer in{.src = packed.data(), .size = packed.size(), .pos = 0};
    ZSTD_outBuffer out{.dst = room.data(), .size = room.size(), .pos = 0};
    const std::size_t code = ZSTD_decompressStream(z_, &out, &in);
    is_whole_ = code == 0;
    return {.taken = in.pos, .given = out.pos, .damage = ZSTD_isError(code) != 0 ? damage(code) : ""};
  }
  [[nodiscard]] bool is_whole() const override { return is_whole_; }
  [[nodiscard]] std::string_view name() const override { return "zstd"; }

 private:
  static std::string damage(std::size_t code) {
    if (ZSTD_getErrorCode(code) != ZSTD_error_frameParameter_windowTooLarge) {
      return std::string("damaged zstd: ") + ZSTD_getErrorName(code);
    }
    return fmt::format("zstd with a window of more than {} MiB: pack it again without --long",
                       (1 << largest_window) >> 20);
  }

  ZSTD_DCtx* z_;
  bool is_whole_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> zstd_unpacker() {
  return std::make_unique<ZstdUnpacker>();
}

}  // namespace askfew

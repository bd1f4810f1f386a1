#include <fmt/core.h>
#include <utility>
#include <zstd.h>
#include <zstd_errors.h>

#include "askfew/core/errors.h"
#include "askfew/streams/unpacker.h"

namespace askfew {
namespace {

// Logarithms of windows: 8 MiB is enough for the usual levels; 128 MiB is enough for any level with default
// settings.
constexpr int usual_window = 23;
constexpr int largest_window = 27;

int window_for(const ReadingMemory* memory) {
  int window = largest_window;
  while (memory != nullptr && window > usual_window && std::size_t{1} << window > memory->most() / 4)
    --window;
  return window;
}

class ZstdUnpacker final : public Unpacker {
 public:
  explicit ZstdUnpacker(std::shared_ptr<ReadingMemory> memory)
      : window_(window_for(memory.get())), share_(std::move(memory)), z_(ZSTD_createDCtx()) {
    if (z_ == nullptr) throw FileError("out of memory for zstd");
    ZSTD_DCtx_setParameter(z_, ZSTD_d_windowLogMax, window_);
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
    share_.resize(ZSTD_sizeof_DCtx(z_), "unpacking");
    return {.taken = in.pos, .given = out.pos, .damage = ZSTD_isError(code) != 0 ? damage(code) : ""};
  }
  [[nodiscard]] bool is_whole() const override { return is_whole_; }
  [[nodiscard]] std::string_view name() const override { return "zstd"; }

 private:
  [[nodiscard]] std::string damage(std::size_t code) const {
    if (ZSTD_getErrorCode(code) != ZSTD_error_frameParameter_windowTooLarge) {
      return std::string("damaged zstd: ") + ZSTD_getErrorName(code);
    }
    return fmt::format("zstd with a window of more than {} MiB: pack it again without --long",
                       (1 << window_) >> 20);
  }

  int window_;  // the largest accepted window
  ReadingShare share_;
  ZSTD_DCtx* z_;
  bool is_whole_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> zstd_unpacker(const std::shared_ptr<ReadingMemory>& memory) {
  return std::make_unique<ZstdUnpacker>(memory);
}

}  // namespace askfew

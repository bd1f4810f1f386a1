#include <algorithm>
#include <zlib.h>

#include "askfew/core/errors.h"
#include "askfew/streams/unpacker.h"

namespace askfew {
namespace {

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker() {
    if (inflateInit2(&z_, 15 + 16) != Z_OK) throw FileError("out of memory for gzip");  // 16: gzip only
  }
  ~GzipUnpacker() override { inflateEnd(&z_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;
  GzipUnpacker(GzipUnpacker&&) = delete;
  GzipUnpacker& operator=(GzipUnpacker&&) = delete;

  Step step(std::string_view packed, std::span<char> room) override {
    if (packed.empty() && is_whole_) return {};
    if (is_whole_) inflateReset(&z_);
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in unsigned int
    const auto in = static_cast<uInt>(std::min(packed.size(), most));
    const auto out = static_cast<uInt>(std::min(room.size(), most));
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    z_.avail_in = in;
    z_.next_out = reinterpret_cast<Bytef*>(room.data());
    z_.avail_out = out;
    const int code = inflate(&z_, Z_NO_FLUSH);
    is_whole_ = code == Z_STREAM_END;
    Step step{.taken = in - z_.avail_in, .given = out - z_.avail_out};
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      step.damage = std::string("damaged gzip: ") + (z_.msg != nullptr ? z_.msg : "not valid data");
    }
    return step;
  }
  [[nodiscard]] bool is_whole() const override { return is_whole_; }
  [[nodiscard]] std::string_view name() const override { return "gzip"; }

 private:
  z_stream z_{};
  bool is_whole_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> gzip_unpacker(const std::shared_ptr<ReadingMemory>& /*memory*/) {
  return std::make_unique<GzipUnpacker>();
}

}  // namespace askfew

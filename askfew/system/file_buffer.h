#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <streambuf>

namespace askfew {

/// A stream's way to a descriptor. It remembers why it failed, which that of the standard library does not.
class FileBuffer final : public std::streambuf {
 public:
  /// Once `stop` is set, a reader who does not read is not waited for (see write_all). REQUIRES: the
  /// descriptor stays open, and is closed by somebody else.
  explicit FileBuffer(int descriptor, const std::atomic<bool>* stop = nullptr);

  /// The error that ended it; 0 as long as all is well.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

 private:
  int descriptor_;
  const std::atomic<bool>* stop_;
  std::array<char, std::size_t{1} << 16> room_;
  int error_ = 0;
};

}  // namespace askfew

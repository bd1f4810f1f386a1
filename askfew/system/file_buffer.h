#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <streambuf>

namespace askfew {

/// A stream buffer that writes to a descriptor and remembers its error; stream buffers of the standard
/// library do not.
class FileBuffer final : public std::streambuf {
 public:
  /// Once `stop` is set, writing does not wait for a slow reader (see write_all). REQUIRES: the descriptor
  /// stays open; the owner closes it.
  explicit FileBuffer(int descriptor, const std::atomic<bool>* stop = nullptr);

  /// The error number of the first failure; 0 without failure.
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

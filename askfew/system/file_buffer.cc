#include "askfew/system/file_buffer.h"

#include <string_view>

#include "askfew/system/descriptor.h"

namespace askfew {

FileBuffer::FileBuffer(int descriptor, const std::atomic<bool>* stop) : descriptor_(descriptor), stop_(stop) {
  setp(room_.data(), room_.data() + room_.size());
}

FileBuffer::int_type FileBuffer::overflow(int_type c) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize FileBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (count < epptr() - pptr()) {
    traits_type::copy(pptr(), bytes, static_cast<std::size_t>(count));
    pbump(static_cast<int>(count));
    return count;
  }
  if (sync() != 0) return 0;
  error_ = write_all(descriptor_, {bytes, static_cast<std::size_t>(count)}, stop_);
  return error_ == 0 ? count : 0;
}

int FileBuffer::sync() {
  if (error_ == 0) {
    error_ = write_all(descriptor_, {pbase(), static_cast<std::size_t>(pptr() - pbase())}, stop_);
  }
  setp(room_.data(), room_.data() + room_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace askfew

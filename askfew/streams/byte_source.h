#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace askfew {

/// The bytes of a file or of standard input ("-"), gzip unpacked where its content says so.
class ByteSource {
 public:
  /// THROWS: FileError if the file cannot be opened.
  explicit ByteSource(const std::string& path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ByteSource(ByteSource&&) = delete;
  ByteSource& operator=(ByteSource&&) = delete;

  /// Fills the buffer as far as the source goes; fewer bytes than asked for only at the end. A truncated or
  /// damaged gzip and a failing disk end the source early and leave the reason in `failure`.
  std::size_t read(char* buffer, std::size_t size);
  /// The first bytes, without consuming them.
  std::string_view peek();
  /// Empty as long as all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  struct Handle;
  std::size_t read_through(char* buffer, std::size_t size);

  std::unique_ptr<Handle> handle_;
  std::string name_;
  std::string failure_;
  std::string peeked_;
  std::size_t peeked_used_ = 0;
  bool has_peeked_ = false;
};

}  // namespace askfew

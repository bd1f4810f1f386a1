#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

  /// Gives what is there, at least one byte, waiting for it if need be; 0 at the end. A truncated or damaged
  /// gzip, a failing disk or a signal end the source early and leave the reason in `failure`.
  std::size_t read(char* buffer, std::size_t size);
  /// As many bytes as asked for; fewer only at the end.
  std::size_t read_fully(char* buffer, std::size_t size);
  /// The first bytes that come, without consuming them.
  std::string_view peek();
  /// Empty as long as all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  class Inflater;

  std::size_t read_through(char* buffer, std::size_t size);
  std::size_t inflate(char* buffer, std::size_t size);
  bool refill();

  std::string name_;
  int descriptor_;
  std::string failure_;
  std::vector<char> raw_;  // bytes of the file
  std::size_t raw_begin_ = 0;
  std::size_t raw_end_ = 0;
  std::unique_ptr<Inflater> inflater_;  // none if the file is not gzipped
  std::string peeked_;
  std::size_t peeked_used_ = 0;
  bool has_peeked_ = false;
};

}  // namespace askfew

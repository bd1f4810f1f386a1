#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace askfew {

/// The bytes of a file or of standard input ("-"), gzip unpacked where its content says so.
class ByteSource {
 public:
  /// `stop` can be set from outside to end the source, also while it waits for a pipe. THROWS: FileError if
  /// the file cannot be opened.
  explicit ByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr);
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
  /// A line without its end (\n or \r\n), for headers; false at the end of the source.
  bool read_line(std::string& line);
  /// The first bytes that come, without consuming them.
  std::string_view peek();
  /// The same, and at least so many if there are. REQUIRES: nothing was consumed.
  std::string_view peek(std::size_t size);
  /// The same, and at least a whole line if there is one. REQUIRES: nothing was consumed.
  std::string_view peek_line();
  /// Would `read` give something, or the end, without waiting?
  [[nodiscard]] bool has_more() const;
  /// Is it a pipe or a terminal, which may keep a reader waiting?
  [[nodiscard]] bool may_wait() const { return may_wait_; }
  /// Ends a read that waits in another thread, and all to come.
  void cancel() { cancelled_ = true; }
  /// Empty as long as all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  class Inflater;

  std::size_t read_through(char* buffer, std::size_t size);
  std::size_t inflate(char* buffer, std::size_t size);
  bool refill();
  std::size_t read_file(char* buffer, std::size_t size);
  [[nodiscard]] bool is_stopped() const { return cancelled_ || (stop_ != nullptr && *stop_); }

  std::string name_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> cancelled_ = false;
  int descriptor_;
  bool may_wait_;  // a pipe or a terminal
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

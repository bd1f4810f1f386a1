#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace askfew {

/// A file, or standard input ("-"): plain bytes without decompression.
class RawFile {
 public:
  /// Set `stop` to end the file, even while `read` waits for a pipe. THROWS: FileError if the file cannot be
  /// opened.
  explicit RawFile(const std::string& path, const std::atomic<bool>* stop = nullptr);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  RawFile(RawFile&&) = delete;
  RawFile& operator=(RawFile&&) = delete;

  /// Reads the available bytes, at least one; waits for bytes if necessary. Returns 0 at the end. THROWS:
  /// FileError if the disk fails or the file was stopped.
  std::size_t read(char* buffer, std::size_t size);
  /// Would `read` return without waiting?
  [[nodiscard]] bool is_ready() const;
  /// Ends a `read` that waits in another thread, and all later reads.
  void cancel() { cancelled_ = true; }

  /// The name for messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The offset of the next byte to read. REQUIRES: the file is regular.
  [[nodiscard]] std::size_t offset() const;
  /// The file is on a disk, not a pipe or a terminal.
  [[nodiscard]] bool is_regular() const { return is_regular_; }

 private:
  [[nodiscard]] bool is_stopped() const { return cancelled_ || (stop_ != nullptr && *stop_); }

  std::string name_;
  const std::atomic<bool>* stop_;
  std::atomic<bool> cancelled_ = false;
  int descriptor_;
  bool is_regular_;
};

}  // namespace askfew

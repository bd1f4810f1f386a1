#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace askfew {

/// A file, or standard input ("-"), as the system gives it.
class RawFile {
 public:
  /// `stop` can be set from outside to end the file, also while it waits for a pipe. THROWS: FileError if the
  /// file cannot be opened.
  explicit RawFile(const std::string& path, const std::atomic<bool>* stop = nullptr);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;
  RawFile(RawFile&&) = delete;
  RawFile& operator=(RawFile&&) = delete;

  /// Gives what is there, at least one byte, waiting for it if need be; 0 at the end. THROWS: FileError for a
  /// failing disk, and if the file was stopped.
  std::size_t read(char* buffer, std::size_t size);
  /// Would `read` give something, or the end, without waiting?
  [[nodiscard]] bool is_ready() const;
  /// Ends a read that waits in another thread, and all to come.
  void cancel() { cancelled_ = true; }

  /// For messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Of the next byte to be read. REQUIRES: the file is regular.
  [[nodiscard]] std::size_t offset() const;
  /// It is on a disk, and not a pipe or a terminal.
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

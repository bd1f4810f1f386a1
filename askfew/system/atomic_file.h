#pragma once

#include <fstream>
#include <ostream>
#include <string>

namespace askfew {

/// A file that appears whole or not at all: written beside its place, finished (synced), then published
/// (renamed). What is not published is removed. Several files appear together if all are finished before the
/// first is published. "-" is standard output, and what is no regular file (a pipe, a device) is written as
/// it comes.
class AtomicFile {
 public:
  /// THROWS: FileError if the file cannot be written.
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile(AtomicFile&&) = delete;
  AtomicFile& operator=(AtomicFile&&) = delete;

  std::ostream& stream() { return *stream_; }
  /// All that can go wrong goes wrong here. THROWS: FileError, and then nothing is left behind.
  void finish();
  /// REQUIRES: finished. THROWS: FileError.
  void publish();
  void commit() {
    finish();
    publish();
  }

 private:
  void fail(const std::string& what, int error) const;

  std::string path_;
  std::string temporary_;  // empty if written directly
  std::ofstream file_;
  std::ostream* stream_ = nullptr;
};

}  // namespace askfew

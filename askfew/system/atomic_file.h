#pragma once

#include <atomic>
#include <optional>
#include <ostream>
#include <string>

#include "askfew/system/file_buffer.h"

namespace askfew {

/// Tries whether a file can appear at this path, before work that ends in it. Pipes and devices are not
/// tried. THROWS: FileError.
void expect_writable(const std::string& path);

/// A file that appears complete or not at all. The file is written next to its final place, finished
/// (synced), then published (renamed). A file that is not published is removed. To make several files appear
/// together, finish all of them before publishing the first. A target that is not a regular file (a pipe, a
/// device) is written directly. One thread at a time may use an AtomicFile.
class AtomicFile {
 public:
  /// `standard`: the output for the path "-"; without it "-" is refused. A replacement keeps the owner and
  /// mode of the old file; a new file gets the default mode. Once `stop` is set, writing does not wait for a
  /// slow reader of a pipe. THROWS: FileError if the file cannot be written.
  explicit AtomicFile(std::string path, std::ostream* standard = nullptr,
                      const std::atomic<bool>* stop = nullptr);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  AtomicFile(AtomicFile&&) = delete;
  AtomicFile& operator=(AtomicFile&&) = delete;

  std::ostream& stream() { return *stream_; }
  /// Reports every error that can happen. THROWS: FileError, and then no temporary file remains.
  void finish();
  /// REQUIRES: finished. THROWS: FileError.
  void publish();
  void commit() {
    finish();
    publish();
  }

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;
  void create_temporary();

  std::string path_;       // for messages
  std::string place_;      // the path with all links resolved
  std::string temporary_;  // empty if written directly
  int descriptor_ = -1;    // -1: standard output
  std::optional<FileBuffer> buffer_;
  std::ostream file_{nullptr};
  std::ostream* stream_ = nullptr;
};

}  // namespace askfew

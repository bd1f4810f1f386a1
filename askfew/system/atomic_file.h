#pragma once

#include <atomic>
#include <optional>
#include <ostream>
#include <string>

#include "askfew/system/file_buffer.h"

namespace askfew {

/// A file that appears whole or not at all: written beside its place, finished (synced), then published
/// (renamed). What is not published is removed. Several files appear together if all are finished before the
/// first is published. What is no regular file (a pipe, a device) is written as it comes. One thread at a
/// time may use an AtomicFile.
class AtomicFile {
 public:
  /// `standard`: where the path "-" goes; without it "-" is refused. A file that is replaced passes its owner
  /// and mode on, a new file gets the usual ones. Once `stop` is set, a reader of a pipe who does not read is
  /// not waited for. THROWS: FileError if the file cannot be written.
  explicit AtomicFile(std::string path, std::ostream* standard = nullptr,
                      const std::atomic<bool>* stop = nullptr);
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
  [[noreturn]] void fail(const std::string& what, int error) const;
  void create_temporary();

  std::string path_;       // for messages
  std::string place_;      // the same without links
  std::string temporary_;  // empty if written directly
  int descriptor_ = -1;    // none: standard output
  std::optional<FileBuffer> buffer_;
  std::ostream file_{nullptr};
  std::ostream* stream_ = nullptr;
};

}  // namespace askfew

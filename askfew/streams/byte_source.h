#pragma once

// The bytes of a file or of standard input, unpacked.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/streams/reading_memory.h"
#include "askfew/streams/unpacker.h"
#include "askfew/system/mapped_file.h"
#include "askfew/system/raw_file.h"

namespace askfew {

/// The limits of a reader.
struct ReadingLimits {
  std::size_t max_line = std::size_t{16} << 20;  ///< most bytes of a line, or of a record with several lines
  std::shared_ptr<ReadingMemory> memory{};       ///< null: no limit

  /// How long a record may be, if every byte of it takes so many of memory at most; as much as a usual chunk
  /// always.
  [[nodiscard]] std::size_t longest_record(std::size_t memory_per_byte, std::size_t usual) const {
    return memory == nullptr ? max_line
                             : std::min(max_line, std::max(usual, memory->most() / memory_per_byte));
  }
};

/// The bytes of a file or of standard input ("-"); gzip and zstd, recognised by content, are unpacked.
class ByteSource {
 public:
  /// Set `stop` to end the source, even while it waits for a pipe. THROWS: FileError if the file cannot be
  /// opened.
  explicit ByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr,
                      ReadingLimits limits = {})
      : file_(path, stop), limits_(std::move(limits)), ahead_share_(limits_.memory), raw_(raw_size) {}

  /// Reads the available bytes, at least one; waits for bytes if necessary. Returns 0 at the end. A truncated
  /// or damaged compressed file, a failing disk or a signal ends the source early; `failure` has the reason.
  std::size_t read(char* buffer, std::size_t size);
  /// Reads exactly so many bytes; fewer only at the end.
  std::size_t read_fully(char* buffer, std::size_t size);
  /// Reads a line without its end (\n or \r\n), for headers; false at the end of the source. A line that is
  /// too long ends the source.
  bool read_line(std::string& line);
  /// The next bytes, without consuming them. REQUIRES: nothing was read yet.
  std::string_view peek();
  /// The same, but at least `size` bytes if the source has so many. REQUIRES: nothing was consumed.
  std::string_view peek(std::size_t size);
  /// The same, but at least a complete line if there is one of at most `most` bytes. REQUIRES: nothing was
  /// consumed.
  std::string_view peek_line(std::size_t most);
  /// Reads more bytes for `peek`; false if there are no more. REQUIRES: nothing was consumed.
  bool peek_more();
  /// Would `read` return without waiting?
  [[nodiscard]] bool has_more();
  /// Is the source a pipe or a terminal, where a reader may have to wait?
  [[nodiscard]] bool may_wait() const { return !file_.is_regular(); }
  /// Must the bytes be unpacked? REQUIRES: some were peeked at.
  [[nodiscard]] bool is_packed() const { return unpacker_ != nullptr; }
  /// The unread bytes, mapped into memory; null unless the source is an uncompressed file on a disk.
  [[nodiscard]] std::unique_ptr<MappedFile> map();
  /// Ends a `read` that waits in another thread, and all later reads.
  void cancel() { file_.cancel(); }
  /// Ends the source for a reason that was found by the caller.
  void fail(std::string why) { failure_ = std::move(why); }
  /// Empty without a failure.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] const ReadingLimits& limits() const { return limits_; }
  /// The error message for a line or record that is too long.
  [[nodiscard]] std::string too_long() const;

 private:
  static constexpr std::size_t raw_size = std::size_t{1} << 18;
  enum class May : bool { wait, not_wait };

  void look_ahead(May may);
  bool look_further(std::size_t size);
  void make_room_ahead(std::size_t size);
  std::size_t read_through(char* buffer, std::size_t size, May may);
  std::size_t unpack(char* buffer, std::size_t size, May may);
  bool refill();
  std::size_t read_file(char* buffer, std::size_t size);

  RawFile file_;
  ReadingLimits limits_;
  ReadingShare ahead_share_;
  std::string failure_;
  std::vector<char> raw_;  // bytes of the file
  std::size_t raw_begin_ = 0;
  std::size_t raw_end_ = 0;
  bool was_begun_ = false;              // the first bytes were examined
  std::unique_ptr<Unpacker> unpacker_;  // null if the file is not compressed
  bool unpacker_holds_back_ = false;    // the unpacker may hold back bytes because there was no room
  std::string ahead_;                   // bytes that were peeked but not read
  std::size_t ahead_used_ = 0;
};

}  // namespace askfew

#pragma once

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

/// What a reader may take.
struct ReadingLimits {
  std::size_t max_line = std::size_t{16} << 20;  ///< bytes of a line, or of a record that has several lines
  std::shared_ptr<ReadingMemory> memory{};       ///< null: no limit
};

/// The bytes of a file or of standard input ("-"), gzip and zstd unpacked where its content says so.
class ByteSource {
 public:
  /// `stop` can be set from outside to end the source, also while it waits for a pipe. THROWS: FileError if
  /// the file cannot be opened.
  explicit ByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr,
                      ReadingLimits limits = {})
      : file_(path, stop), limits_(std::move(limits)), ahead_share_(limits_.memory), raw_(raw_size) {}

  /// Gives what is there, at least one byte, waiting for it if need be; 0 at the end. A truncated or damaged
  /// packing, a failing disk or a signal end the source early and leave the reason in `failure`.
  std::size_t read(char* buffer, std::size_t size);
  /// As many bytes as asked for; fewer only at the end.
  std::size_t read_fully(char* buffer, std::size_t size);
  /// A line without its end (\n or \r\n), for headers; false at the end of the source. One that is too long
  /// ends the source.
  bool read_line(std::string& line);
  /// The first bytes that come, without consuming them. REQUIRES: nothing was read yet.
  std::string_view peek();
  /// The same, and at least so many if there are. REQUIRES: nothing was consumed.
  std::string_view peek(std::size_t size);
  /// The same, and at least a whole line if there is one, and it is not too long. REQUIRES: nothing was
  /// consumed.
  std::string_view peek_line();
  /// Looks at what comes next, so that `peek` gives more; false if there is nothing. REQUIRES: nothing was
  /// consumed.
  bool peek_more();
  /// Would `read` give something, or the end, without waiting?
  [[nodiscard]] bool has_more();
  /// Is it a pipe or a terminal, which may keep a reader waiting?
  [[nodiscard]] bool may_wait() const { return !file_.is_regular(); }
  /// What was not read yet, where the system keeps it; null unless it is a file on a disk that is not packed.
  [[nodiscard]] std::unique_ptr<MappedFile> map();
  /// Ends a read that waits in another thread, and all to come.
  void cancel() { file_.cancel(); }
  /// Ends the source for a reason that was found elsewhere.
  void fail(std::string why) { failure_ = std::move(why); }
  /// Empty as long as all is well.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  [[nodiscard]] const ReadingLimits& limits() const { return limits_; }
  /// What is wrong with a line, or record, that is.
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
  bool was_begun_ = false;              // the first bytes were looked at
  std::unique_ptr<Unpacker> unpacker_;  // none if the file is not packed
  bool unpacker_holds_back_ = false;    // perhaps, for want of room
  std::string ahead_;                   // bytes that were looked at and not read
  std::size_t ahead_used_ = 0;
};

}  // namespace askfew

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/streams/reading_memory.h"

namespace askfew {

/// Unpacks a compressed file, piece by piece: members (gzip) or frames (zstd), one after the other.
class Unpacker {
 public:
  /// The result of a step. A step that neither takes nor gives bytes needs more input.
  struct Step {
    std::size_t taken = 0;  ///< compressed bytes taken
    std::size_t given = 0;  ///< unpacked bytes given
    std::string damage{};   ///< why unpacking cannot continue, or empty
  };

  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  Unpacker(Unpacker&&) = delete;
  Unpacker& operator=(Unpacker&&) = delete;
  virtual ~Unpacker() = default;

  /// Unpacks as much as there is room for. The unpacker may hold bytes back, and give them later without
  /// taking more input.
  virtual Step step(std::string_view packed, std::span<char> room) = 0;
  /// May the file end here, after a complete member?
  [[nodiscard]] virtual bool is_whole() const = 0;
  /// The name of the compression, for messages.
  [[nodiscard]] virtual std::string_view name() const = 0;
};

std::unique_ptr<Unpacker> gzip_unpacker(const std::shared_ptr<ReadingMemory>& memory);
/// Refuses frames that need too much memory, as the program zstd does, and counts the memory.
std::unique_ptr<Unpacker> zstd_unpacker(const std::shared_ptr<ReadingMemory>& memory);

/// Are there too few first bytes to recognise a compressed file?
bool may_begin_packed(std::string_view first_bytes);
/// The unpacker for a file that begins with these bytes; null if the file is not compressed. A null memory
/// means no limit.
std::unique_ptr<Unpacker> unpacker_for(std::string_view first_bytes,
                                       const std::shared_ptr<ReadingMemory>& memory = nullptr);

}  // namespace askfew

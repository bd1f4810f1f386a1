#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/streams/reading_memory.h"

namespace askfew {

/// Unpacks a packed file, piece by piece: members (gzip) or frames (zstd), one after the other.
class Unpacker {
 public:
  /// What a step has done. A step that neither takes nor gives needs more bytes.
  struct Step {
    std::size_t taken = 0;  ///< packed bytes
    std::size_t given = 0;  ///< unpacked bytes
    std::string damage{};   ///< why it goes no further, or empty
  };

  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  Unpacker(Unpacker&&) = delete;
  Unpacker& operator=(Unpacker&&) = delete;
  virtual ~Unpacker() = default;

  /// Unpacks as much as there is room for. It may keep some back, and give it with no more bytes to take.
  virtual Step step(std::string_view packed, std::span<char> room) = 0;
  /// May the file end here, behind a whole member?
  [[nodiscard]] virtual bool is_whole() const = 0;
  /// Of the packing, for messages.
  [[nodiscard]] virtual std::string_view name() const = 0;
};

std::unique_ptr<Unpacker> gzip_unpacker(std::shared_ptr<ReadingMemory> memory);
/// Refuses frames that would need much memory, as the program zstd does, and counts what they need.
std::unique_ptr<Unpacker> zstd_unpacker(std::shared_ptr<ReadingMemory> memory);

/// Are these first bytes of a file too few to tell?
bool may_begin_packed(std::string_view first_bytes);
/// For the file that begins with these bytes; null if it is not packed. A null memory means no limit.
std::unique_ptr<Unpacker> unpacker_for(std::string_view first_bytes,
                                       std::shared_ptr<ReadingMemory> memory = nullptr);

}  // namespace askfew

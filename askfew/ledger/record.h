#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askfew {

/// A ledger is a file that only grows: a magic text, then records. A record is a prefix, a payload and the
/// payload's checksum; numbers are little-endian.
///
///   size 4 | type 4 | check 8 | payload | hash 8
///
/// `check` is the XXH3 of size and type, seeded with the hash of the record before; `hash` that of the
/// payload, seeded with `check`. So no bit can change and no record be moved, left out or put between. What
/// ends inside a record is torn: its last write did not get through. Nothing else is.
///
/// A payload of any size is written in pieces, each a record of the same type; all but the last have the flag
/// `goes_on` in their type.
///
/// The first record has the hash of the magic text before it (in format 1 the number 0). That text ends with
/// the number of the format. All formats up to this program's are read; a file keeps
/// the number that it began with, whatever is added to it.
namespace ledger {

enum class Type : std::uint32_t {
  start = 1,    ///< the first of a file, and no other: what the session began with
  line = 2,     ///< a line as it came, and when
  outcome = 3,  ///< what became of the oldest line that has none yet
  event = 4     ///< what happened besides lines, as JSON (format 2)
};

inline constexpr std::uint32_t goes_on = std::uint32_t{1} << 31;

inline constexpr std::string_view magic = "askfew ledger 2\n";
inline constexpr std::size_t format_place = 14;  ///< of the format's number, one digit
inline constexpr char oldest_format = '1';
inline constexpr char newest_format = '2';

inline constexpr std::size_t piece_bytes = std::size_t{1} << 26;  ///< of a payload, at most, in one record

struct Prefix {
  std::uint32_t size = 0;
  std::uint32_t type = 0;
  std::uint64_t check = 0;
};
static_assert(sizeof(Prefix) == 16);

/// The hash that the next record begins with.
using Link = std::uint64_t;

/// What the first record begins with. REQUIRES: a whole magic text, of any format.
Link first_link(std::string_view text);
std::uint64_t check_of(const Prefix& prefix, Link before);
Link hash_of(const Prefix& prefix, std::string_view payload);

/// Appends a payload as one record, or as many as it needs, and returns what the next one begins with.
Link append_record(Type type, std::string_view payload, Link before, std::string& out);

}  // namespace ledger
}  // namespace askfew

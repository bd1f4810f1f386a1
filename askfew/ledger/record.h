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
/// `check` is the XXH3 of size and type, seeded with the hash of the record before; `hash` is the XXH3 of the
/// payload, seeded with `check`. So every changed bit and every moved, missing or inserted record is noticed.
/// A file that ends inside a record is torn: its last write was incomplete. Only such a file is called torn.
///
/// A payload of any size is written in pieces, each a record of the same type; all but the last have the flag
/// `goes_on` in their type.
///
/// For the first record, the hash of the magic text is the hash before (in format 1 the number 0). The magic
/// text ends with the number of the format. All formats up to the current format can be read; a file keeps
/// its format number when records are added.
namespace ledger {

enum class Type : std::uint32_t {
  start = 1,      ///< only the first record of a file: the start of the session
  line = 2,       ///< a received line and its time
  outcome = 3,    ///< the outcome of the oldest line without an outcome
  event = 4,      ///< an event other than a line, as JSON (since format 2)
  checkpoint = 5  ///< the state of the session here (since format 3)
};

inline constexpr std::uint32_t goes_on = std::uint32_t{1} << 31;

inline constexpr std::string_view magic = "askfew ledger 3\n";
inline constexpr std::size_t format_place = 14;  ///< position of the format's number, one digit
inline constexpr char oldest_format = '1';
inline constexpr char newest_format = '3';

inline constexpr std::size_t piece_bytes = std::size_t{1} << 26;  ///< most payload bytes in one record

struct Prefix {
  std::uint32_t size = 0;
  std::uint32_t type = 0;
  std::uint64_t check = 0;
};
static_assert(sizeof(Prefix) == 16);

/// The hash that the next record begins with.
using Link = std::uint64_t;

/// The link of the first record. REQUIRES: a complete magic text, of any format.
Link first_link(std::string_view text);
std::uint64_t check_of(const Prefix& prefix, Link before);
Link hash_of(const Prefix& prefix, std::string_view payload);

/// Appends a payload as one or several records, and returns the link of the next record.
Link append_record(Type type, std::string_view payload, Link before, std::string& out);

}  // namespace ledger
}  // namespace askfew

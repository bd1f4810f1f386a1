#pragma once

// The keys of sessions, one per value of a field, and the files of their ledgers.

#include <optional>
#include <string>
#include <string_view>

namespace askfew {

// Keys of models are as JsonKey has them: a string begins with a quote.

/// A longer key, in bytes, has no ledger.
inline constexpr std::size_t longest_key = 80;
/// The ledger of a key in a folder: the key is encoded, so that keys of any bytes give different files below
/// the folder. Nothing if the key is too long.
std::optional<std::string> ledger_of_key(const std::string& folder, std::string_view key);
/// THROWS: FileError if the folder of the ledger cannot be made.
void make_folder_of(const std::string& ledger);

/// Why a line without a key is refused, or with one that is too long.
std::string complaint_of_key(std::string_view field, bool is_too_long);
/// Appends an answer, a JSON object, with one more field. `token`: the value, as JSON.
void append_with_field(std::string_view answer, std::string_view field, std::string_view token,
                       std::string& out);

}  // namespace askfew

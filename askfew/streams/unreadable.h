#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// Why a file with these first bytes cannot be read, with what to do about it; an empty text: it may be
/// read. Finds archives, files of other packers, and bytes that are no text of any format.
std::string unreadable(std::string_view first_bytes);

/// The same for a text in UTF-16 or UTF-32 alone: no format begins with their marks.
std::string other_unicode(std::string_view first_bytes);

}  // namespace askfew

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace askfew::sgml {

/// The content of the first element of this name, between `<NAME ...>` and `</NAME>`; nothing if there is
/// none. THROWS: Malformed if it does not end.
std::optional<std::string_view> element(std::string_view text, std::string_view name);

/// The value of `name="value"` in a tag; nothing if it is not there.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name);

/// Appends a text without its tags: a tag is a space, &lt; &gt; &amp; &quot; and &#N; are what they stand
/// for, and control characters are spaces too. Any other & is itself.
void append_text(std::string_view text, std::string& out);

}  // namespace askfew::sgml

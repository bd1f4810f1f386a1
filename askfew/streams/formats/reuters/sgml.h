#pragma once

// The little SGML that Reuters-21578 needs: elements, attributes, texts.

#include <optional>
#include <string>
#include <string_view>

namespace askfew::sgml {

/// The content of the first element with this name, between `<NAME ...>` and `</NAME>`; nothing if there is
/// no such element. THROWS: Malformed if the element does not end.
std::optional<std::string_view> element(std::string_view text, std::string_view name);

/// The value of `name="value"` in a tag; nothing if the attribute is missing.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name);

/// Appends a text without its tags: tags and control characters become spaces; &lt; &gt; &amp; &quot; and
/// &#N; are decoded. Any other & stays.
void append_text(std::string_view text, std::string& out);

}  // namespace askfew::sgml

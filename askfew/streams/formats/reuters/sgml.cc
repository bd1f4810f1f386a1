#include "askfew/streams/formats/reuters/sgml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/core.h>
#include <utility>

#include "askfew/streams/formats/common/malformed.h"

namespace askfew::sgml {
namespace {

void append_character(std::uint32_t code, std::string& out) {
  const auto push = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
    push(' ');
  } else if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | code >> 6);
    push(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    push(0xE0 | code >> 12);
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  } else {
    push(0xF0 | code >> 18);
    push(0x80 | (code >> 12 & 0x3F));
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  }
}

/// The number of the character that "&...;" stands for.
std::optional<std::uint32_t> entity(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 4> names{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}}};
  for (const auto& [name, character] : names) {
    if (text == name) return static_cast<std::uint32_t>(character);
  }
  if (!text.starts_with("&#")) return std::nullopt;
  std::uint32_t code = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [past, error] = std::from_chars(text.data() + 2, end, code);
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (error != std::errc{} || past != end || code > 0x10FFFF || is_surrogate) return std::nullopt;
  return code;
}

}  // namespace

std::optional<std::string_view> element(std::string_view text, std::string_view name) {
  std::size_t open = 0;
  while (true) {
    open = text.find('<', open);
    if (open == std::string_view::npos) return std::nullopt;
    const std::string_view tag = text.substr(open + 1);
    if (tag.starts_with(name) && tag.size() > name.size() &&
        (tag[name.size()] == '>' || tag[name.size()] == ' '))
      break;
    ++open;
  }
  const std::size_t content = text.find('>', open);
  const std::size_t close =
      content == std::string_view::npos ? content : text.find(fmt::format("</{}>", name), content);
  if (close == std::string_view::npos)
    throw Malformed{text.data() + open, fmt::format("a <{0}> without </{0}>", name)};
  return text.substr(content + 1, close - content - 1);
}

std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
  const std::string begin = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view value = tag.substr(at + begin.size());
  const std::size_t end = value.find('"');
  if (end == std::string_view::npos) return std::nullopt;
  return value.substr(0, end);
}

void append_text(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("&<"), text.size());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const bool is_tag = text.front() == '<';
    constexpr std::size_t longest_entity = 10;
    const std::size_t end = (is_tag ? text : text.substr(0, longest_entity)).find(is_tag ? '>' : ';');
    const std::size_t length = end == std::string_view::npos ? 1 : end + 1;
    const auto code = is_tag ? std::uint32_t{' '} : entity(text.substr(0, length));
    append_character(code.value_or('&'), out);
    text.remove_prefix(code ? length : 1);
  }
}

}  // namespace askfew::sgml

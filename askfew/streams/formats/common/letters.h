#pragma once

// Lower case, and endings of file names.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace askfew {

/// Turns ASCII capitals into lower case.
inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return small;
}

/// Does a path have one of these endings, compressed (.gz, .zst) or not, in any case?
inline bool has_ending(std::string_view path, std::initializer_list<std::string_view> endings) {
  std::string name = in_small_letters(path);
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace askfew

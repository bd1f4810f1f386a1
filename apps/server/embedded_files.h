#pragma once

#include <span>
#include <string_view>

namespace askfew::server {

/// A file of the page that is a part of this program.
struct EmbeddedFile {
  std::string_view name;  ///< as index.html
  std::string_view bytes;
};
/// All of them; CMake writes this list.
std::span<const EmbeddedFile> embedded_files();

}  // namespace askfew::server

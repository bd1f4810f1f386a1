#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "apps/server/http.h"

namespace askfew::server {

/// A file of the page that is a part of this program.
struct EmbeddedFile {
  std::string_view name;  ///< as index.html
  std::string_view bytes;
};
/// All of them; CMake writes this list.
std::span<const EmbeddedFile> embedded_files();

/// The file of this address: / is index.html; null: none.
const EmbeddedFile* find_embedded(std::string_view path);
/// The file, or only that it has not changed since the browser got it.
Response response_of(const EmbeddedFile& file, const Request& request);

}  // namespace askfew::server

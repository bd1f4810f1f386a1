#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "apps/server/embedded_files.h"
#include "apps/server/http.h"

namespace askfew::server {

/// The file of this address: / is index.html; null: none.
const EmbeddedFile* find_embedded(std::string_view path);
/// The file, or only that it has not changed since the browser got it.
Response response_of(const EmbeddedFile& file, const Request& request);

}  // namespace askfew::server

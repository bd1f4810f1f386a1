#include "apps/server/embedded.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <functional>
#include <zlib.h>

namespace askfew::server {
namespace {

std::string_view type_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> types{
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".json", "application/json"},
       {".png", "image/png"}}};
  for (const auto& [ending, type] : types) {
    if (name.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

std::string zipped(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  constexpr int memory = 8;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    return "";
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

const EmbeddedFile* find_embedded(std::string_view path) {
  const std::string_view name = path == "/" ? "index.html" : path.substr(1);
  const auto files = embedded_files();
  const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
  return found == files.end() ? nullptr : &*found;
}

Response response_of(const EmbeddedFile& file, const Request& request) {
  const std::string tag = fmt::format("\"{:016x}\"", std::hash<std::string_view>()(file.bytes));
  Response response{.status = 200,
                    .type = std::string(type_of(file.name)),
                    .body = {},
                    .headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}, {"Vary", "Accept-Encoding"}},
                    .file = {},
                    .leases = {}};
  if (request.if_none_match == tag) {
    response.status = 304;
    return response;
  }
  if (request.accepts_gzip && !file.name.ends_with(".png")) {
    response.body = zipped(file.bytes);
    response.headers.emplace_back("Content-Encoding", "gzip");
  } else {
    response.body = file.bytes;
  }
  return response;
}

}  // namespace askfew::server

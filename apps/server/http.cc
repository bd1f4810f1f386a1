#include "apps/server/http.h"

#include <nlohmann/json.hpp>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

namespace askfew::server {
namespace {

using nlohmann::json;

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string_view title_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 507:
      return "Insufficient Storage";
    default:
      return "Internal Server Error";
  }
}

Response response_of(const Problem& problem) {
  const json document{{"type", "about:blank"},
                      {"title", title_of(problem.status)},
                      {"status", problem.status},
                      {"detail", problem.detail}};
  Response response{.status = problem.status,
                    .type = "application/problem+json",
                    .body = utf8_json_text(document),
                    .headers = {},
                    .file = {},
                    .leases = {}};
  if (!problem.allow.empty()) response.headers.emplace_back("Allow", problem.allow);
  if (problem.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

Response response_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Problem& problem) {
    return response_of(problem);
  } catch (const ConfigError& error) {
    return response_of(Problem{422, error.what()});
  } catch (const FileError& error) {
    return response_of(Problem{503, error.what()});
  } catch (const DataError& error) {
    return response_of(Problem{503, error.what()});
  } catch (const std::bad_alloc&) {
    return response_of(Problem{503, "out of memory"});
  } catch (const std::exception& error) {
    return response_of(Problem{500, error.what()});
  }
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      result += plus_is_space && text[k] == '+' ? ' ' : text[k];
      continue;
    }
    if (k + 2 >= text.size()) return std::nullopt;
    const int high = digit_of(text[k + 1]);
    const int low = digit_of(text[k + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(16 * high + low);
    k += 2;
  }
  return result;
}

bool read_target(std::string_view target, Request& request) {
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (!request.path.starts_with('/')) return false;
  for (std::size_t from = 1; from <= request.path.size();) {
    const std::size_t slash = std::min(request.path.find('/', from), request.path.size());
    const auto segment = decoded(std::string_view(request.path).substr(from, slash - from), false);
    if (!segment) return false;
    request.segments.push_back(*segment);
    from = slash + 1;
  }
  if (mark == std::string_view::npos) return true;
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const auto name = decoded(pair.substr(0, equals), true);
    const auto value = equals == std::string_view::npos ? std::optional(std::string())
                                                        : decoded(pair.substr(equals + 1), true);
    if (!name || !value) return false;
    if (!name->empty()) request.query[*name] = *value;
  }
  return true;
}

std::string cookie_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name)
      return std::string(pair.substr(equals + 1));
  }
  return "";
}

}  // namespace askfew::server

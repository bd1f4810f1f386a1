#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/service/project_settings.h"

#include "apps/server/accounts.h"

namespace askfew::server {

/// A request without anything of the library that read it.
struct Request {
  std::string method;
  std::string path;                   ///< as it came, without the query
  std::vector<std::string> segments;  ///< the decoded parts of the path between slashes
  std::map<std::string, std::string> query;
  std::string content_type;
  std::string authorization;
  std::string cookie;  ///< the value of the session's cookie; empty: none
  std::string csrf;    ///< the header X-CSRF-Token
  std::string if_none_match;
  bool accepts_gzip = false;
  std::string client;               ///< the address of the machine that sends it
  bool is_forwarded_https = false;  ///< a proxy that is trusted says that the client speaks HTTPS
  std::string body;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string file;  ///< the path of a temporary file that is the body; it is removed
  Leases leases;     ///< to be stored before the response is sent
  std::optional<ProjectSettings> settings{};  ///< the same
};

/// Ends a request with a problem document (RFC 9457).
struct Problem {
  int status = 400;
  std::string detail;
  std::string allow{};  ///< of 405: the methods that the address has
};
Response response_of(const Problem& problem);
/// The problem of an exception that the library has thrown.
Response response_of(const std::exception_ptr& failure);

std::string_view title_of(int status);
/// %41 and + in a part of an address; nothing if it is malformed.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space);
/// Splits path and query; false if they are malformed.
bool read_target(std::string_view target, Request& request);
/// The value of a cookie in the header of all cookies; empty: none.
std::string cookie_in(std::string_view header, std::string_view name);

}  // namespace askfew::server

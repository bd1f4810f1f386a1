#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/server/project_api.h"

namespace askfew::server {

/// How a request is answered.
struct Routed {
  enum class Kind : std::uint8_t {
    answer,       ///< `make` answers, after the projects in `open` were opened
    apart,        ///< `make` answers; it may take long, so that another thread calls it
    project,      ///< `handler` answers
    next,         ///< `handler` answers; without a question it is called again until `wait` is over
    events,       ///< a stream of events
    instances,    ///< a stream of lines, each answered as by a session
    predictions,  ///< the same, without rounds
  };
  Kind kind = Kind::answer;
  std::function<void()> before{};  ///< of `answer`: slow work for another thread before `make`; may be empty
  std::function<Response()> make{};
  std::vector<std::string> open{};
  ProjectHandler handler = nullptr;
  Call call{};
  std::int64_t wait = 0;  ///< seconds
};

/// A response that is there already.
Routed routed_to(Response response);

/// Somebody known who sends a request.
struct Caller {
  Account account;
  std::string csrf;
  bool by_cookie = false;
};
/// THROWS: Problem if the role is less.
void expect_role(const Account& account, Role least);
/// `allowed`: the methods that the address has, as "GET, POST". THROWS: Problem.
[[noreturn]] void refuse_method(const std::string& allowed);
/// THROWS: Problem if the request has another method than this.
void expect_method(const Request& request, const std::string& allowed);

}  // namespace askfew::server

#include "apps/server/routed.h"

#include <fmt/core.h>

namespace askfew::server {

Routed routed_to(Response response) {
  Routed routed;
  routed.make = [response = std::move(response)] { return response; };
  return routed;
}

void expect_role(const Account& account, Role least) {
  if (account.role < least)
    throw Problem{403,
                  fmt::format("this needs the role {}; you are {}", text_of(least), text_of(account.role))};
}

void refuse_method(const std::string& allowed) {
  throw Problem{405, "this address has only the methods " + allowed, allowed};
}

void expect_method(const Request& request, const std::string& allowed) {
  if (request.method != allowed) refuse_method(allowed);
}

}  // namespace askfew::server

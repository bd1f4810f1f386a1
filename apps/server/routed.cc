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

void refuse_method() {
  throw Problem{405, "this address has no such method: see /openapi.json"};
}

}  // namespace askfew::server

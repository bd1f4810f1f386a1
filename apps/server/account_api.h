#pragma once

#include "apps/server/accounts.h"
#include "apps/server/projects.h"
#include "apps/server/rate_limit.h"
#include "apps/server/routed.h"

namespace askfew::server {

/// Logins, passwords and tokens. For one thread.
class AccountApi {
 public:
  AccountApi(Accounts& accounts, const Projects& projects, bool secure_cookies)
      : accounts_(accounts), projects_(projects), secure_cookies_(secure_cookies) {}

  // Logins by token and changes of tokens are done at once. Each THROWS: Problem, ConfigError, FileError.
  Routed log_in(const Request& request);
  /// REQUIRES: the path has a third part.
  Routed route(const Request& request, const Caller& caller);

 private:
  [[nodiscard]] bool is_secure(const Request& request) const {
    return secure_cookies_ || request.is_forwarded_https;
  }
  Response logged_in(const Account& account, bool secure);
  Routed set_password(const Request& request, const Account& account);
  Response log_out(const Request& request, const Caller& caller);
  Routed route_tokens(const Request& request, const Account& account);
  Response add_token(const Request& request);
  Response remove_token(const std::string& number, const Account& account);

  Accounts& accounts_;
  const Projects& projects_;
  bool secure_cookies_;
  RateLimit passwords_{
      5};  // checks of everybody together: each takes much time, and strangers may ask for it
};

}  // namespace askfew::server

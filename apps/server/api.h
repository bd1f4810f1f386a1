#pragma once

#include <cstdint>
#include <map>

#include "apps/server/account_api.h"
#include "apps/server/accounts.h"
#include "apps/server/metrics.h"
#include "apps/server/projects.h"
#include "apps/server/rate_limit.h"
#include "apps/server/routed.h"

namespace askfew::server {

/// Decides who asks, whether they may, and who answers. For one thread.
class Api {
 public:
  struct Options {
    double rate = 0;  ///< requests a second of one token; 0: any number
    bool secure_cookies = false;
    std::function<std::string()> unready{};  ///< says why the server cannot do its work now; empty: it can
  };
  Api(Accounts& accounts, Projects& projects, Metrics& metrics, const Options& options)
      : accounts_(accounts),
        projects_(projects),
        metrics_(metrics),
        options_(options),
        account_api_(accounts, projects, options.secure_cookies) {}

  /// Logins and changes of tokens are done at once. THROWS: Problem, ConfigError, FileError.
  Routed route(const Request& request);
  /// THROWS: Problem if nobody known sends this request.
  void expect_known(const Request& request) const { static_cast<void>(caller_of(request)); }

 private:
  Routed route_public(const Request& request);
  Routed route_projects(const Request& request, const Caller& caller);
  Routed route_project(const Request& request, const Caller& caller);
  Routed list_projects(const Caller& caller);
  [[nodiscard]] Caller caller_of(const Request& request) const;
  void count_request(const Account& account);

  Accounts& accounts_;
  Projects& projects_;
  Metrics& metrics_;
  Options options_;
  AccountApi account_api_;
  std::map<std::int64_t, RateLimit> limits_;  // by the number of the account
};

}  // namespace askfew::server

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/server/accounts.h"
#include "apps/server/http.h"
#include "apps/server/metrics.h"
#include "apps/server/project_api.h"
#include "apps/server/projects.h"

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

/// Decides who asks, whether they may, and who answers. For one thread.
class Api {
 public:
  struct Options {
    double rate = 0;  ///< requests a second of one token; 0: any number
    bool secure_cookies = false;
    std::function<std::string()> unready{};  ///< says why the server cannot do its work now; empty: it can
  };
  Api(Accounts& accounts, Projects& projects, Metrics& metrics, const Options& options)
      : accounts_(accounts), projects_(projects), metrics_(metrics), options_(options) {}

  /// Logins and changes of tokens are done at once. THROWS: Problem, ConfigError, FileError.
  Routed route(const Request& request);
  /// THROWS: Problem if nobody known sends this request.
  void expect_known(const Request& request) const { static_cast<void>(caller_of(request)); }

 private:
  struct Caller {
    Account account;
    std::string csrf;
    bool by_cookie = false;
  };
  struct Bucket {
    double tokens = 0;
    double time = 0;
  };

  Routed route_public(const Request& request);
  Routed route_accounts(const Request& request, const Caller& caller);
  Routed route_projects(const Request& request, const Caller& caller);
  Routed route_project(const Request& request, const Caller& caller);
  Routed export_of(const Call& call);
  Routed list_projects(const Caller& caller);
  Routed log_in(const Request& request);
  Response logged_in(const Account& account);
  Routed set_password(const Request& request, const Account& account);
  void expect_few_passwords();
  static void take_from(Bucket& bucket, double rate, const char* what);
  Response add_token(const Request& request);
  [[nodiscard]] Caller caller_of(const Request& request) const;
  void count_request(const Account& account);

  Accounts& accounts_;
  Projects& projects_;
  Metrics& metrics_;
  Options options_;
  std::map<std::int64_t, Bucket> buckets_;
  std::optional<Bucket> passwords_;  // checks of passwords, of everybody together
};

}  // namespace askfew::server

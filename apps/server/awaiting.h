#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "askfew/core/errors.h"

#include "apps/server/api.h"
#include "apps/server/client_stream.h"

namespace askfew::server {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Lets the thread of the connections wait for the work on projects, without blocking it.
class Awaiting {
 public:
  Awaiting(asio::io_context& io, Projects& projects, Accounts& accounts)
      : io_(io), projects_(projects), accounts_(accounts) {}

  /// The exception of work on a project; null: none.
  struct Failure {
    std::exception_ptr exception;
  };

  asio::awaitable<Failure> in_project(const std::string& id, const Projects::Work& work) {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(Failure)>(
        [this, id, work](auto handler) { projects_.run(id, work, done_by(std::move(handler))); },
        asio::use_awaitable);
  }

  /// The response to a request that is no stream.
  asio::awaitable<Response> answer(const Routed& routed) {
    Response response;
    Failure failure;
    if (routed.kind == Routed::Kind::answer) {
      const Projects::Work nothing = [](Project&) {};
      for (const std::string& id : routed.open) {
        failure = co_await in_project(id, nothing);
      }
      if (routed.before) {
        failure = co_await in_another_thread(routed.before);
        if (failure.exception) co_return response_of(failure.exception);
      }
      try {
        response = routed.make();
      } catch (...) {
        response = response_of(std::current_exception());
      }
      co_return response;
    }
    if (routed.kind == Routed::Kind::apart) {
      const std::function<void()> work = [&] { response = routed.make(); };
      failure = co_await in_another_thread(work);
      co_return failure.exception ? response_of(failure.exception) : response;
    }
    const auto deadline = Clock::now() + std::chrono::seconds(routed.wait);
    const Projects::Work work = [&](Project& project) { response = routed.handler(project, routed.call); };
    while (true) {
      failure = co_await in_project(routed.call.project, work);
      if (failure.exception) co_return response_of(failure.exception);
      try {
        accounts_.keep_leases(routed.call.project, response.leases);
      } catch (const FileError&) {
        failure.exception = std::current_exception();
      }
      if (failure.exception) co_return response_of(failure.exception);
      if (response.settings) {
        const std::function<void()> change = [&] {
          projects_.change(routed.call.project, *response.settings);
        };
        failure = co_await in_another_thread(change);
        if (failure.exception) co_return response_of(failure.exception);
      }
      const bool is_over = Clock::now() >= deadline || is_stopping_;
      if (routed.kind != Routed::Kind::next || !response.leases.empty() || is_over) co_return response;
      // A lease may end without a change of the counts.
      const auto pause = std::min<Clock::duration>(deadline - Clock::now(), 1s);
      co_await change_of(routed.call.project, pause);
    }
  }

  /// Waits until the counts of a project change, at most so long.
  asio::awaitable<void> change_of(const std::string& id, Clock::duration longest) {
    asio::steady_timer timer(io_, longest);
    waiting_[id].insert(&timer);
    error_code ignored;
    co_await timer.async_wait(ignoring(ignored));
    waiting_[id].erase(&timer);
    if (waiting_[id].empty()) waiting_.erase(id);
  }

  /// The counts of a project have changed.
  void wake(const std::string& id) {
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    for (asio::steady_timer* timer : found->second) timer->cancel();
  }

  /// All long waits end now.
  void stop() {
    is_stopping_ = true;
    for (const auto& [id, timers] : waiting_) {
      for (asio::steady_timer* timer : timers) timer->cancel();
    }
  }

 private:
  asio::awaitable<Failure> in_another_thread(const std::function<void()>& work) {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(Failure)>(
        [this, work](auto handler) { projects_.run_apart(work, done_by(std::move(handler))); },
        asio::use_awaitable);
  }

  /// Continues with the handler, in the thread of the connections.
  template <class Handler>
  static Projects::Done done_by(Handler handler) {
    auto shared = std::make_shared<Handler>(std::move(handler));
    return [shared](const std::exception_ptr& failure) { std::move (*shared)(Failure{failure}); };
  }

  asio::io_context& io_;
  Projects& projects_;
  Accounts& accounts_;
  std::map<std::string, std::set<asio::steady_timer*>> waiting_;
  bool is_stopping_ = false;
};

}  // namespace askfew::server
